// One node of the tree: its path, what it says and where each word of that came from.
// Everything from documents is put in with textContent, never as HTML.

const FIRST = 5 // quotes of a list shown before "Show all"
const shown = new WeakMap()

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".record")
  const before = shown.get(parentElement)
  const print = JSON.stringify(data)
  if (before?.print === print) {
    before.send.go = setTriggerValue
    return
  }
  const send = { go: setTriggerValue }
  shown.set(parentElement, { print, place: data.place, send })
  const go = (target) => send.go("go", { ...target, at: Date.now() })
  const had = root.contains(root.getRootNode().activeElement)
  root.replaceChildren(...parts(data, go))
  if (had) root.querySelector("h2").focus({ preventScroll: true }) // what had the focus is gone
  const moved = before && before.place !== data.place
  const mark = root.querySelector("mark")
  if (mark && before?.place !== undefined) mark.scrollIntoView({ block: "nearest" })
  else if (moved && window.innerWidth < 640) root.scrollIntoView({ block: "start" })
}

function element(tag, className, ...content) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...content.filter((part) => part !== undefined && part !== null))
  return made
}

/** A link of the page itself: followed here, or opened in another tab as any link is. */
function link(className, target, go, ...content) {
  const made = element("a", className, ...content)
  const mark = target.end ? `&mark=${Number(target.start)}-${Number(target.end)}` : ""
  made.href = `?at=${encodeURIComponent(target.place)}${mark}`
  made.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(target)
  }
  return made
}

const place = (seen) => ({ place: seen.place, start: seen.start, end: seen.end })

function parts(data, go) {
  return [
    path(data, go),
    heading(data.title),
    facts(data),
    data.text ? properties(data.text.properties) : null,
    data.note ? element("p", "warning", data.note) : null,
    data.stale ? element("p", "warning", data.stale) : null,
    ...data.problems.map((problem) => element("p", "warning", "Not all of this document could be read: " + problem)),
    types(data),
    section("Summary", madeBy(data), summary(data, go)),
    ...data.lists.map((list) => section(list.heading, quotes(list.quotes, data, go))),
    about(data),
    data.text ? section("Text", ...text(data.text, go)) : null,
  ].filter(Boolean)
}

function heading(title) {
  const made = element("h2", "", title)
  made.tabIndex = -1
  return made
}

function path(data, go) {
  const list = element("ol")
  data.path.forEach((step, index) => {
    const last = index === data.path.length - 1
    const label = step.kind === "run" ? "group" : step.title
    const item = last ? element("span", "here", label) : link("step", { place: step.place }, go, label)
    if (last) item.setAttribute("aria-current", "page")
    if (step.kind === "run") {
      item.classList.add("run")
      item.title = step.title
    }
    list.append(element("li", "", item))
  })
  const nav = element("nav", "path", list)
  nav.setAttribute("aria-label", "Path to this place")
  return nav
}

const counted = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`

function facts(data) {
  const said = [data.kind_words]
  if (data.document && data.document.kind) said.push(data.document.kind)
  if (data.text) {
    if (data.text.locator) said.push(data.text.locator)
    said.push(counted(data.text.characters, "character", "characters"))
  } else {
    said.push(counted(data.children, "branch", "branches"), counted(data.leaves, "passage", "passages"))
  }
  if (data.as_of) said.push("as of " + moment(new Date(data.as_of * 1000)))
  return element("p", "facts", said.join(" · "))
}

/** What the document says of itself: its author, date, status, owner. */
function properties(said) {
  if (!said || !said.length) return null
  const list = element("dl", "properties")
  for (const one of said) list.append(element("div", "", element("dt", "", one.name), element("dd", "", one.value)))
  list.setAttribute("aria-label", "What the document says of itself")
  return list
}

/** The time, with the day where it is not today. */
function moment(date) {
  const today = date.toDateString() === new Date().toDateString()
  const day = today ? {} : { day: "numeric", month: "short", year: "numeric" }
  return date.toLocaleString("en-GB", { ...day, hour: "2-digit", minute: "2-digit" })
}

function types(data) {
  if (!data.types.length) return null
  const list = element("ul", "types")
  for (const type of data.types) {
    const item = element("li", "badge", type.name)
    item.title = type.description
    list.append(item)
  }
  list.setAttribute("aria-label", "Kinds of content")
  return list
}

function section(heading, ...content) {
  const there = content.filter(Boolean)
  return there.length ? element("section", "", element("h3", "", heading), ...there) : null
}

function madeBy(data) {
  if (!data.summary.length) return null
  const made = element("p", "made-by", data.made_by ? "Written by " + data.made_by : "Quoted from the text")
  made.title = data.made_by
    ? "A language model wrote this of what is below, and of nothing else"
    : "Taken word for word from what is below"
  return made
}

function summary(data, go) {
  if (!data.summary.length) return element("p", "quiet", "Nothing stands out in it.")
  const made = element("p", "summary")
  for (const part of data.summary) {
    if (!part.place) made.append(part.text)
    else {
      const button = link("quote", place(part), go, part.text)
      button.title = "From: " + part.title
      made.append(button)
    }
    made.append(" ")
  }
  return made
}

function quotes(all, data, go) {
  const list = element("ul", "quotes")
  const add = (quote) => {
    const item = element("li", "", element("span", "said", quote.text))
    if (quote.place) item.append(link("from", place(quote), go, quote.title))
    else if (data.kind === "leaf" && quote.end) item.append(link("from", { place: data.place, start: quote.start, end: quote.end }, go, "Show in the text"))
    list.append(item)
  }
  all.slice(0, FIRST).forEach(add)
  if (all.length <= FIRST) return list
  const more = element("button", "more", `Show all ${all.length}`)
  more.type = "button"
  more.onclick = () => {
    const first = list.children.length
    all.slice(FIRST).forEach(add)
    more.remove()
    list.children[first].querySelector("a")?.focus()
  }
  return element("div", "", list, more)
}

function about(data) {
  if (!data.about.length) return null
  const list = element("ul", "types")
  for (const word of data.about) list.append(element("li", "badge plain", word))
  return section("About", list)
}

function text(view, go) {
  return view.parts.map((part) => {
    const body = element("div", part.fixed ? "body fixed" : "body")
    if (part.fixed) body.tabIndex = 0
    for (const [words, marked] of part.text) body.append(marked ? element("mark", "", words) : words)
    if (!part.label) return element("div", "unit loose", body)
    const head = element("div", "head", element("span", `label ${part.kind}`, part.label))
    if (part.header) head.append(element("span", "header", part.header))
    if (part.locator) head.append(element("span", "locator", part.locator))
    const unit = element("div", "unit", head)
    unit.dataset.number = part.number
    if (part.prerequisites.length) unit.append(element("p", "before", element("b", "", "First: "), part.prerequisites.join("; ")))
    unit.append(body)
    if (part.links.length) unit.append(links(part.links, go))
    return unit
  })
}

function links(all, go) {
  const made = element("p", "links", "Leads to ")
  all.forEach((to, index) => {
    if (index) made.append(" · ")
    if (to.unit !== undefined) {
      const next = element("button", "step", to.text)
      next.type = "button"
      next.onclick = () => {
        const target = made.getRootNode().querySelector(`[data-number="${Number(to.unit)}"]`)
        target?.scrollIntoView({ block: "center" })
        target?.animate([{ outline: "2px solid var(--st-primary-color)" }, { outline: "2px solid transparent" }], 1500)
      }
      made.append(next)
    } else if (to.place) made.append(link("step", { place: to.place }, go, to.text))
    else if (to.href) {
      const out = element("a", "", to.text)
      out.href = to.href
      out.target = "_blank"
      out.rel = "noopener noreferrer"
      made.append(out)
    } else made.append(to.text)
  })
  return made
}
