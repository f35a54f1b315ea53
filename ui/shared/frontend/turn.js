// Draws one answer: the trail, the text with its citations, the sources and how sure and how fresh it is.
// `data` is made by ui/chat/turns.py. All text goes in as text; only `data.html` is HTML, and that is made by ui/shared/markup.py.

const ICONS = {
  choose: "M5 3v5a4 4 0 0 0 4 4h7m0 0-3-3m3 3-3 3M5 8v9",
  read: "M6 3h6l4 4v10H6zM12 3v4h4M8.5 11h5M8.5 14h5",
  back: "M8 5 4 9l4 4M4 9h8a4 4 0 0 1 0 8H9",
  link: "M8 12l4-4M7 9l-2 2a2.8 2.8 0 0 0 4 4l2-2M13 11l2-2a2.8 2.8 0 0 0-4-4L9 7",
  named: "M7 3 5.5 17M14.5 3 13 17M3.5 7.5H17M3 12.5h13.5",
  follow_up: "M4 8a4.5 4.5 0 1 0 9 0 4.5 4.5 0 0 0-9 0M11.8 11.3 16.5 16",
  chat: "M4 5h12v8H9l-3.5 3V13H4z",
  overview: "M10 3v14M10 7h6M10 12h6M4 5h6M4 10h6",
  copy: "M7 7h9v9H7zM4 13V4h9",
  done: "M4 10.5 8 14.5 16 6",
  out: "M8 5H5v10h10v-3M11 4h5v5M16 4l-7 7",
  again: "M16 5v4h-4M4 15v-4h4M15.2 9A5.8 5.8 0 0 0 5 7.3M4.8 11A5.8 5.8 0 0 0 15 12.7",
  edit: "M4 16l.8-3.2L13 4.6a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2L7.2 15.2zM11.8 5.8l2.4 2.4",
  follow: "M5.5 13.5V9a4.5 4.5 0 0 1 9 0v4.5l1 1h-11zM8.5 16.5a1.6 1.6 0 0 0 3 0",
  up: "M4 9h3v7H4zM7 9l3.2-5.4c1.4.1 2 1 1.7 2.4L11.4 8H15c1 0 1.6.8 1.4 1.8l-1 4.8c-.2.9-.8 1.4-1.7 1.4H7",
  down: "M4 11h3V4H4zM7 11l3.2 5.4c1.4-.1 2-1 1.7-2.4L11.4 12H15c1 0 1.6-.8 1.4-1.8l-1-4.8C15.2 4.5 14.6 4 13.700 4H7",
}

function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue
    element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ""))
  return element
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("viewBox", "0 0 20 20")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path")
  path.setAttribute("d", ICONS[name] ?? ICONS.choose)
  svg.append(path)
  return svg
}

const button = (attributes, ...children) => h("button", { type: "button", ...attributes }, ...children)

function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds)
  if (passed < 90) return `${Math.round(passed)} s ago`
  if (passed < 5400) return `${Math.round(passed / 60)} min ago`
  if (passed < 129600) return `${Math.round(passed / 3600)} h ago`
  if (passed < 5184000) return `${Math.round(passed / 86400)} days ago`
  return passed < 63072000 ? `${Math.round(passed / 2629800)} months ago` : `${Math.round(passed / 31557600)} years ago`
}

function crumbs(titles) {
  if (!titles.length) return null
  return h("span", { class: "crumbs" }, titles.flatMap((title, n) => (n ? [h("i", { "aria-hidden": "true" }, "›"), title] : [title])))
}

function place(title, where) {
  if (!where) return h("strong", {}, title)
  return h("a", { class: "place", href: `tree?at=${encodeURIComponent(where)}`, target: "_self", title: "Show in the tree" }, title)
}

function option(option) {
  return h("li", { class: option.rank ? "option chosen" : "option" },
    h("div", { class: "option-head" },
      h("span", { class: "rank", "aria-hidden": "true" }, option.rank ? String(option.rank) : ""),
      place(option.title, option.place),
      h("span", { class: "scent", role: "img", "aria-label": `evidence ${option.scent} of 100`, title: `Evidence below it: ${option.scent} of 100` },
        h("span", { style: `width:${option.scent}%` })),
      option.rank ? h("span", { class: "sr" }, `chosen ${option.rank}`) : null),
    option.crumbs.length ? crumbs(option.crumbs) : null,
    option.why ? h("p", { class: "why" }, option.why) : null,
    option.types.length ? h("div", { class: "types" }, option.types.map(type => h("span", {}, type))) : null,
    option.summary ? h("p", { class: "summary" }, option.summary) : null,
    option.evidence ? h("p", { class: "evidence" }, option.evidence) : null,
    looks && option.is_left && option.place
      ? button({ class: "look link", "data-look": option.place, "aria-label": `Look in “${option.title}” instead` }, `Look in this ${option.kind === "leaf" ? "passage" : "branch"} instead`)
      : null)
}

// A step is one line; what it was offered, and why it went where it went, is there when it is opened.
let looks = false
function row(step, number) {
  const line = [h("span", { class: "verb" }, step.verb), " ", h("strong", {}, step.title),
    step.pill ? h("span", { class: `pill ${step.tone}` }, step.pill) : null]
  const more = () => h("div", { class: "more" },
    step.crumbs.length ? crumbs(step.crumbs) : null,
    step.reason ? h("p", { class: "reason" }, step.reason) : null,
    step.place ? h("p", {}, h("a", { class: "place link", href: `tree?at=${encodeURIComponent(step.place)}`, target: "_self" }, "Show in the tree")) : null,
    step.options.length ? h("ul", { class: "list" }, step.options.map(option)) : null)
  const opens = step.crumbs.length || step.reason || step.place || step.options.length
  return h("li", { class: `step ${step.kind}`, style: `--depth:${step.depth}` },
    h("span", { class: "icon" }, icon(step.kind)),
    h("div", { class: "body" }, opens
      ? details(`step-${number}`, step.options.length ? "options" : "opened", [h("span", { class: "line" }, line)], more)
      : h("div", { class: "line" }, line)))
}

// Built only when it is opened, and kept open over redraws by its name.
let open
function details(name, cls, label, build) {
  const element = h("details", { class: cls, "data-name": name }, h("summary", {}, label))
  const fill = () => { if (element.open && element.children.length === 1) element.append(build()) }
  element.ontoggle = () => { element.open ? open.add(name) : open.delete(name); fill() }
  if (open.has(name)) { element.open = true; fill() }
  return element
}

function short(data) {
  if (!data.short.length) return null
  return h("div", { class: "short" }, data.short.map(line => h("p", {}, line.map(part => part.place ? place(part.words, part.place) : part.words))))
}

function trail(data) {
  if (!data.steps.length && !data.running) return null
  const label = data.running
    ? [h("span", { class: "shimmer" }, data.doing), h("span", { class: "sub" }, data.summary)]
    : [h("span", {}, data.heading || "Steps"), h("span", { class: "sub" }, data.summary.replace(/(\d) s\b/, "$1\u00a0s"))]
  return details("trail", data.running ? "trail running" : "trail", label, () => h("div", {}, short(data), h("ol", { class: "steps" }, data.steps.map(row)), unread(data)))
}

// All that could not be read beside what was read, with why.
function unread(data) {
  if (!data.unread?.length) return null
  return h("div", { class: "unread" }, h("p", {}, "Could not be read, in the same folders:"),
    h("ul", {}, data.unread.map(one => h("li", {}, h("strong", {}, one.title), ` ${one.reason}`))))
}

// A ticket's chip shows the ticket as it is now, with a link to it.
function ticket(citation) {
  const { key, title, status, assignee, updated, url, opens } = citation.ticket
  const state = citation.mark || citation.around
  const age = updated ? `updated ${ago(updated)}` : ""
  const said = [`Source ${citation.number}: ${key} ${title}`, status, assignee, age, citation.locator, state].filter(Boolean).join(", ")
  return h("span", { class: `ticket ${citation.state}` },
    button({ class: `source ${citation.state}`, "data-cite": citation.number, title: citation.hint, "aria-label": said },
      h("b", {}, String(citation.number)),
      h("span", { class: "about" },
        h("span", { class: "what" }, h("span", { class: "key" }, key), h("span", { class: "name" }, title)),
        h("span", { class: "facts" },
          status ? h("span", { class: "pill" }, status) : null,
          h("span", { class: "where" }, assignee),
          updated ? h("span", { class: "where", "data-updated": updated, title: new Date(updated * 1000).toLocaleString() }, age) : null,
          state ? h("span", { class: citation.mark ? "state" : "where" }, state) : null))),
    url ? h("a", { class: "out", href: url, target: "_blank", rel: "noopener noreferrer", title: opens, "aria-label": opens }, icon("out")) : null)
}

function chip(citation) {
  if (citation.ticket) return ticket(citation)
  const state = citation.mark || citation.around
  const name = `Source ${citation.number}: ${citation.title}${citation.locator ? ", " + citation.locator : ""}${state ? ", " + state : ""}`
  return button({ class: `source ${citation.state}`, "data-cite": citation.number, title: citation.hint, "aria-label": name },
    h("b", {}, String(citation.number)),
    h("span", { class: "name" }, citation.title),
    citation.locator ? h("span", { class: "where" }, citation.locator) : null,
    state ? h("span", { class: citation.mark ? "state" : "where" }, state) : null)
}

function answer(data) {
  const text = h("div", { class: data.aged ? "text aged" : data.running ? "text writing" : "text" })
  text.innerHTML = data.html
  const sources = Object.fromEntries(data.citations.map(citation => [citation.number, citation]))
  for (const mark of text.querySelectorAll("button[data-cite]")) {
    const source = sources[mark.dataset.cite]
    if (!source) { mark.disabled = data.running; continue } // what it opens is known when the answer is there
    mark.title = source.hint
    mark.setAttribute("aria-label", `Source ${source.number}: ${source.title}${source.mark ? ", " + source.mark : ""}`)
    if (source.state !== "current") mark.classList.add(source.state)
  }
  for (const mark of text.querySelectorAll("button.unsupported")) mark.setAttribute("aria-label", mark.dataset.means)
  for (const table of text.querySelectorAll("table")) {
    const scroller = h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Table" })
    table.replaceWith(scroller)
    scroller.append(table)
  }
  for (const code of text.querySelectorAll("pre")) code.setAttribute("tabindex", "0")
  for (const more of text.querySelectorAll("details.more")) {
    more.open = open.has(more.dataset.name)
    more.ontoggle = () => { more.open ? open.add(more.dataset.name) : open.delete(more.dataset.name) }
  }
  return text
}

function foot(data) {
  const parts = []
  if (data.as_of) parts.push(h("span", { title: `When its sources had been checked last: ${new Date(data.as_of * 1000).toLocaleString()}, version ${data.version}` },
    h("span", { "data-as-of": data.as_of }, `as of ${ago(data.as_of)}`)))
  if (data.coverage) parts.push(h("span", {}, data.coverage))
  if (data.unreadable) parts.push(h("span", { class: "unreadable" }, data.unreadable))
  if (data.unreachable) parts.push(h("span", {}, data.unreachable))
  if (data.usage) parts.push(h("span", { class: "usage", title: data.usage_hint }, data.usage))
  const actions = (data.actions ?? []).map(act => tool({ "data-act": act, ...(act in RATINGS ? { "aria-pressed": String(data.rating === RATINGS[act]) } : act === "follow" ? { "aria-pressed": String(data.followed) } : {}) }, act))
  if (data.link) actions.push(tool({ "data-link": data.link, ...(data.private ? { title: PRIVATE, "aria-label": PRIVATE } : {}) }, "link"))
  if (data.copy) actions.push(tool({ "data-copy": "1" }, "copy"))
  if (!parts.length && !actions.length) return null
  return h("div", { class: "foot" }, parts, h("div", { class: "tools", role: "group", "aria-label": "This answer" }, actions))
}

const RATINGS = { up: 1, down: 0 }
const ACTIONS = { up: "Helpful", down: "Not helpful", follow: "Follow this answer", again: "Ask again", edit: "Change the question", link: "Copy a link to this answer", copy: "Copy the answer" }

const PRIVATE = "Copy a link to this answer, for yourself: others can open it once you share the chat"

function tool(attributes, name) {
  const made = button({ class: "tool", title: ACTIONS[name], "aria-label": ACTIONS[name], ...attributes }, icon(name))
  if ((name === "copy" || name === "link") && !navigator.clipboard) made.hidden = true
  return made
}

function copied(target, text) {
  navigator.clipboard.writeText(text).then(() => {
    const before = [...target.childNodes]
    target.replaceChildren(icon("done"))
    setTimeout(() => target.replaceChildren(...before), 1500)
  })
}

function closest(data) {
  if (!data.closest.length) return null
  return h("div", { class: "closest" }, h("p", {}, "The closest places to look:"),
    h("ul", {}, data.closest.map(each => h("li", {}, place(each.title, each.place), each.path ? h("span", { class: "crumbs" }, each.path) : null))))
}

// The citation whose source is open is marked, and in sight; it has the focus again once the source is closed.
const BESIDE = "(min-width: 1000px)" // as in ui/shell.py: there the source is beside the answer
function markOpen(root, state, number, at) {
  const marks = [...root.querySelectorAll("[data-cite]")]
  for (const mark of marks) if (Number(mark.dataset.cite) === number && (!at || (mark.dataset.passages ?? at) === at)) mark.setAttribute("aria-current", "true")
  const before = state.cited ?? null
  state.cited = number
  if (before === number) return
  const clicked = marks[state.opener]
  const of = each => clicked && Number(clicked.dataset.cite) === each ? clicked : marks.find(mark => Number(mark.dataset.cite) === each)
  if (number !== null) requestAnimationFrame(() => of(number)?.scrollIntoView({ block: "nearest" }))
  else for (const wait of [0, 120, 400]) setTimeout(() => { // a drawer gives the focus away once more when it is gone
    if (!document.querySelector("[role=dialog]") && [document.body, null].includes(document.activeElement)) of(before)?.focus()
  }, wait)
}

// The words that a number stands behind: those since the number before it, in its paragraph, point or cell. Of a number that
// follows another at once they are the same.
const LONGEST_SAID = 600
function saidBefore(mark) {
  const text = mark.closest(".text")
  if (!text) return ""
  const block = mark.closest("li, p, td, th, dd, blockquote") ?? text
  const range = document.createRange()
  range.selectNodeContents(block)
  range.setEndBefore(mark)
  let said = ""
  const before = [...block.querySelectorAll("[data-cite]")].filter(each => each.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING)
  for (const each of [...before.reverse(), null]) {
    each ? range.setStartAfter(each) : range.setStart(block, 0)
    said = range.toString().trim()
    if (/\p{L}/u.test(said)) break
  }
  return said.slice(-LONGEST_SAID)
}

// What is added while a question is being answered. That it has ended is said until the page was drawn again (follow.js).
const LIVE_SECONDS = 0.5, HIDDEN_SECONDS = 2
function follow(state, data, draw) {
  clearTimeout(state.looking)
  state.live = data.live
  let seen = ""
  const look = async () => {
    try {
      const response = await fetch(new URL(`${data.live}?seen=${seen}`, document.baseURI), { headers: { accept: "application/json" } })
      if (state.live !== data.live) return
      const told = response.ok ? await response.json() : { ended: response.status !== 503 }
      if (told.ended) document.dispatchEvent(new Event("knowledge-tree-ended"))
      if (told.added) draw({ ...data, ...told.added })
      seen = told.seen ?? seen
    } catch { /* the status line says that the app does not answer */ }
    if (state.live === data.live) state.looking = setTimeout(look, 1000 * (document.hidden ? HIDDEN_SECONDS : LIVE_SECONDS))
  }
  if (data.live) state.looking = setTimeout(look, 1000 * LIVE_SECONDS)
}

export default function ({ data: given, parentElement, setTriggerValue }) {
  const data = given.drawn ? { ...JSON.parse(given.drawn), ...given } : given
  const root = parentElement.querySelector(".turn")
  const state = root.state ?? (root.state = { open: new Set() })
  state.send = setTriggerValue
  const told = JSON.stringify(data)
  if (told !== state.told) draw(root, state, data) // not what is there already: a click that has begun would be lost
  state.told = told
  follow(state, data, added => draw(root, state, added))
  clearInterval(state.clock)
  state.clock = setInterval(() => {
    for (const each of root.querySelectorAll("[data-as-of]")) each.textContent = `as of ${ago(Number(each.dataset.asOf))}`
    for (const each of root.querySelectorAll("[data-updated]")) each.textContent = `updated ${ago(Number(each.dataset.updated))}`
  }, 5000)
  return () => { clearInterval(state.clock); clearTimeout(state.looking); state.live = "" }
}

function draw(root, state, data) {
  open = state.open
  for (const each of root.querySelectorAll("details[data-name]")) // clicked a moment ago: what is told of it comes only after this
    each.open ? open.add(each.dataset.name) : open.delete(each.dataset.name)
  const focused = root.contains(root.getRootNode().activeElement) ? root.getRootNode().activeElement.closest("[data-name]")?.dataset.name : null
  const cited = data.opened ?? null, at = data.opened_at ?? ""
  looks = data.can_look
  root.replaceChildren(...[
    trail(data),
    data.verdict ? h("p", { class: `verdict ${data.verdict}` }, data.verdict_words) : null,
    data.aged ? h("p", { class: "note" }, data.aged) : null,
    data.html ? answer(data) : null,
    ...data.notes.map(note => h("p", { class: "note" }, note)),
    data.citations.length ? h("div", { class: "sources", role: "group", "aria-label": "Sources of this answer" }, data.citations.map(chip)) : null,
    closest(data),
    foot(data),
  ].filter(Boolean))
  markOpen(root, state, cited, at)
  if (focused) root.querySelector(`[data-name="${focused}"] > summary`)?.focus()

  root.onclick = event => {
    const target = event.target.closest("button")
    if (!target || !root.contains(target)) return
    if (target.dataset.cite) {
      state.opener = [...root.querySelectorAll("[data-cite]")].indexOf(target)
      const behind = target.dataset.passages // unknown of an answer that was kept before they were noted
      const at = behind === undefined ? { said: saidBefore(target) } : { passages: behind.split(",").filter(Boolean).map(Number) }
      state.send("cite", { number: Number(target.dataset.cite), beside: matchMedia(BESIDE).matches, ...at })
    }
    else if (target.dataset.means) {
      const told = target.nextElementSibling?.classList.contains("means") ? target.nextElementSibling : null
      told ? told.remove() : target.after(h("span", { class: "means", role: "note" }, target.dataset.means))
    }
    else if (target.dataset.look) state.send("look", target.dataset.look)
    else if (target.dataset.act) state.send("act", target.dataset.act)
    else if (target.dataset.link) copied(target, new URL(target.dataset.link, document.baseURI).href)
    else if (target.dataset.copy) copied(target, data.copy)
  }
}
