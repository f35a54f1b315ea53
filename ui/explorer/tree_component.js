// The explorer: a tree whose branches are fetched when they are opened, and a search over all of it.
// Everything from documents is put in with textContent, never as HTML.

const SVG = "http://www.w3.org/2000/svg"
const PATHS = {
  root: "M4 6.5C4 4.9 7.6 4 12 4s8 .9 8 2.5-3.6 2.5-8 2.5-8-.9-8-2.5zm0 0v11C4 19.1 7.6 20 12 20s8-.9 8-2.5v-11M4 12c0 1.6 3.6 2.5 8 2.5s8-.9 8-2.5",
  folder: "M3.5 6.5a1.5 1.5 0 0 1 1.5-1.5h4l2 2.5h8a1.5 1.5 0 0 1 1.5 1.5v8.5a1.5 1.5 0 0 1-1.5 1.5H5a1.5 1.5 0 0 1-1.5-1.5z",
  document: "M6 3.5h8l4.5 4.5v12a.5.5 0 0 1-.5.5H6a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5zM14 3.5V8h4.5M8.5 12.5h7M8.5 16h7",
  heading: "M5 7h14M5 12h9M5 17h11",
  run: "M5 8.5h14M5 12h14M5 15.5h14",
  leaf: "M6 4.5h12a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM8.5 9h7M8.5 12h7M8.5 15h4",
  twisty: "M9 6l6 6-6 6",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
  close: "M6 6l12 12M18 6L6 18",
}
const KINDS = { root: "source", folder: "folder", document: "document", heading: "section", run: "group", leaf: "passage" }
const POLL_MS = 4000
const TELL_MS = 5000
const SEARCH_MS = 180
const TYPE_AHEAD_MS = 700
const MOST_KEPT_OPEN = 150
const OPEN_KEY = "knowledge-tree-open"

const trees = new WeakMap()

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  let tree = trees.get(parentElement)
  if (!tree) {
    tree = new Explorer(parentElement)
    trees.set(parentElement, tree)
  }
  tree.update(data, setTriggerValue)
  return () => {
    tree.stop()
    trees.delete(parentElement)
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function icon(name) {
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("class", `icon ${name}`)
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(SVG, "path")
  path.setAttribute("d", PATHS[name] || PATHS.leaf)
  svg.append(path)
  return svg
}

class Explorer {
  constructor(root) {
    this.box = root.querySelector(".tree")
    this.input = root.querySelector("input")
    this.found = root.querySelector(".found")
    this.live = root.querySelector(".live")
    this.clear = root.querySelector(".clear")
    root.querySelector(".glass").append(icon("search"))
    this.clear.append(icon("close"))
    this.filter = new TreeFilter(root, () => this.narrow())
    this.levels = new Map()
    this.open = new Set()
    this.loading = new Set()
    this.failed = new Map()
    this.visible = []
    this.selected = ""
    this.pending = ""
    this.focused = ""
    this.version = 0
    this.state = "" // what is shown here
    this.drawn = "" // what the page beside it was drawn with
    this.toldAt = 0 // when the page was told that it has changed
    this.refreshes = 0
    this.typed = ""
    this.send = () => {}
    this.restore()
    this.listen()
    this.narrow()
    this.timer = setInterval(() => this.poll(), POLL_MS)
  }

  stop() {
    clearInterval(this.timer)
    clearTimeout(this.searching)
    this.stopped = true
  }

  // ------------------------------------------------ what the page says

  update(data, send) {
    this.send = send
    this.labels = data.labels || {}
    if (data.state !== this.state) {
      const known = this.state
      this.version = data.version
      this.state = data.state
      if (known) this.refresh()
    }
    this.drawn = data.state
    this.everything = data.levels
    this.way = data.open
    if (!this.filter.isOn) this.takeAll()
    const echo = this.pending && data.selected !== this.pending && Date.now() - this.sentAt < 2500
    if (echo) return this.draw()
    this.pending = ""
    const moved = data.selected !== this.selected
    this.selected = data.selected
    if (moved) {
      if (!this.filter.isOn) for (const place of data.open) this.open.add(place)
      this.focused = data.selected
    }
    this.draw()
    this.fetchOpen()
    if (moved) this.reveal(data.selected)
  }

  takeAll() {
    for (const [place, rows] of Object.entries(this.everything || {})) {
      this.levels.set(place, rows)
      this.failed.delete(place)
    }
  }

  // ------------------------------------------------ narrowing

  /** The tree as the filter leaves it; with no filter, all of it. */
  async narrow() {
    const asked = JSON.stringify(this.filter.parameters)
    this.narrowing = asked
    let said
    try {
      said = await this.ask("api/tree/filter", this.filter.parameters)
    } catch (error) {
      if (this.narrowing === asked) this.filter.fail(error.status ? error.message : "The app cannot be reached.")
      return
    }
    if (this.narrowing !== asked || this.stopped) return
    const was = this.shownFilter || "[]"
    this.shownFilter = asked
    this.filter.show(said)
    if (asked === "[]" && was === "[]") return
    if (was === "[]") this.openBefore = this.open
    this.levels = new Map()
    this.failed.clear()
    if (asked === "[]") {
      this.open = new Set([...(this.openBefore || this.open), ...(this.way || [])])
      this.takeAll()
    } else {
      this.open = new Set(said.open)
      this.take({ levels: said.levels, gone: [] })
      for (const row of said.levels[""] || []) this.open.add(row.place)
      this.box.scrollTop = 0
    }
    this.draw()
    this.fetchOpen()
  }

  restore() {
    try {
      for (const place of JSON.parse(sessionStorage.getItem(OPEN_KEY) || "[]")) this.open.add(String(place))
    } catch {
      this.open.clear()
    }
  }

  keep() {
    if (this.filter.isOn) return
    try {
      sessionStorage.setItem(OPEN_KEY, JSON.stringify([...this.open].slice(-MOST_KEPT_OPEN)))
    } catch {
      return
    }
  }

  // ------------------------------------------------ fetching

  async ask(path, parameters) {
    const address = new URL(path, document.baseURI)
    for (const [name, value] of parameters) address.searchParams.append(name, value)
    const answer = await fetch(address, { headers: { Accept: "application/json" } })
    const said = await answer.json().catch(() => ({}))
    if (!answer.ok) throw Object.assign(new Error(said.error || "The app did not answer."), { status: answer.status })
    return said
  }

  fetchOpen() {
    const wanted = this.visible.filter((row) => this.open.has(row.place) && row.kind !== "leaf")
    for (const row of wanted) if (!this.levels.has(row.place)) this.fetch(row.place)
  }

  async fetch(place) {
    if (this.loading.has(place) || this.failed.has(place)) return
    this.loading.add(place)
    const late = setTimeout(() => this.draw(), 120)
    try {
      const said = await this.ask("api/tree", [["place", place], ["version", this.version], ...this.filter.parameters])
      this.take(said)
    } catch (error) {
      this.failed.set(place, error.status ? error.message : "The app cannot be reached.")
      if (error.status === 404) this.refresh()
    }
    clearTimeout(late)
    this.loading.delete(place)
    this.draw()
    this.fetchOpen()
  }

  take(said) {
    for (const [place, rows] of Object.entries(said.levels)) this.levels.set(place, rows)
    for (const place of said.gone) {
      this.levels.delete(place)
      this.open.delete(place)
    }
  }

  /** Everything shown, once more, at the newest version. Returns whether that is there; not so where it cannot be had, or a newer one is
   *  on its way. */
  async refresh() {
    const number = ++this.refreshes
    if (this.filter.isOn) {
      await this.narrowAgain()
      return true
    }
    this.narrow()
    const shown = ["", ...this.visible.filter((row) => this.open.has(row.place)).map((row) => row.place)].slice(0, 190)
    try {
      const said = await this.ask("api/tree", [...shown.map((place) => ["place", place]), ["version", this.version]])
      if (number !== this.refreshes) return false
      this.levels = new Map()
      this.failed.clear()
      this.take(said)
      this.draw()
      this.fetchOpen()
      return true
    } catch {
      return false
    }
  }

  /** After somebody published: the same filter, with the same branches open. */
  async narrowAgain() {
    const open = this.open
    await this.narrow()
    for (const place of open) this.open.add(place)
    this.draw()
    this.fetchOpen()
  }

  async poll() {
    if (document.visibilityState !== "visible" || this.stopped) return
    try {
      const { version, state } = await this.ask("api/tree/version", [])
      if (this.stopped) return
      if (state !== this.state) {
        this.version = version
        if (!(await this.refresh())) return // with the next look
        this.state = state
      }
      if (state === this.drawn || Date.now() - this.toldAt < TELL_MS) return
      this.toldAt = Date.now()
      this.send("changed", state) // again and again until the page is drawn so: what is sent may be lost
    } catch {
      return
    }
  }

  // ------------------------------------------------ drawing

  rows(place, level, made) {
    const rows = this.levels.get(place) || []
    rows.forEach((row, index) => {
      const seen = { ...row, level, index, size: rows.length, parent: place }
      made.push(seen)
      if (row.kind === "leaf" || !this.open.has(row.place)) return
      if (this.levels.has(row.place)) this.rows(row.place, level + 1, made)
      else if (this.failed.has(row.place)) made.push({ note: this.failed.get(row.place), of: row.place, level: level + 1 })
      else made.push({ note: "Loading…", level: level + 1 })
    })
    return made
  }

  draw() {
    const all = this.rows("", 1, [])
    this.visible = all.filter((row) => row.place !== undefined)
    if (!this.visible.some((row) => row.place === this.focused)) {
      const there = this.visible.some((row) => row.place === this.selected)
      this.focused = there ? this.selected : this.visible[0]?.place || ""
    }
    const had = this.box.contains(this.box.getRootNode().activeElement)
    this.box.replaceChildren(...all.map((row) => (row.place === undefined ? this.note(row) : this.row(row))))
    if (had) this.item(this.focused)?.focus({ preventScroll: true })
  }

  note(row) {
    const made = element("div", row.of ? "note failed" : "note", row.note)
    made.style.setProperty("--level", row.level)
    made.setAttribute("role", "none")
    if (row.of) {
      const again = element("button", "again", "Try again")
      again.type = "button"
      again.onclick = () => {
        this.failed.delete(row.of)
        this.fetch(row.of)
      }
      made.append(" ", again)
    }
    return made
  }

  row(row) {
    const branch = row.kind !== "leaf"
    const open = branch && this.open.has(row.place)
    const made = element("div", `row ${row.kind}`)
    made.style.setProperty("--level", row.level)
    made.dataset.place = row.place
    made.title = row.title
    made.tabIndex = row.place === this.focused ? 0 : -1
    const attributes = {
      role: "treeitem",
      "aria-level": row.level,
      "aria-setsize": row.size,
      "aria-posinset": row.index + 1,
      "aria-selected": row.place === this.selected,
      "aria-label": this.spoken(row),
    }
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    if (branch) made.setAttribute("aria-expanded", open)
    if (open && this.loading.has(row.place)) made.setAttribute("aria-busy", "true")
    const twisty = element("span", branch ? "twist" : "twist none")
    if (branch) twisty.append(icon("twisty"))
    made.append(twisty, icon(row.kind), this.title(row))
    if (row.types.length && row.kind !== "run") made.append(element("span", "badge", row.types[0]))
    if (branch) made.append(element("span", "count", row.leaves.toLocaleString("en")))
    return made
  }

  title(row) {
    if (!row.said) return element("span", "title", row.title)
    const both = element("span", "title said")
    both.append(element("span", "name", row.title), element("span", "quote", row.said))
    return both
  }

  spoken(row) {
    const passages = row.leaves === 1 ? "passage" : "passages"
    const count = row.kind === "leaf" ? (row.said ? `: ${row.said}` : "") : `, ${row.leaves} ${passages}`
    return `${row.title}, ${KINDS[row.kind] || "branch"}${count}`
  }

  item(place) {
    return [...this.box.children].find((child) => child.dataset.place === place)
  }

  reveal(place) {
    const item = this.item(place)
    if (!item) return
    const box = this.box.getBoundingClientRect()
    const row = item.getBoundingClientRect()
    if (row.top < box.top || row.bottom > box.bottom) this.box.scrollTop += row.top - box.top - box.height / 3
  }

  // ------------------------------------------------ doing

  choose(place) {
    this.selected = this.focused = place
    this.pending = place
    this.sentAt = Date.now()
    this.draw()
    this.send("select", place)
  }

  toggle(place, open) {
    if (open) this.open.add(place)
    else this.open.delete(place)
    this.keep()
    this.draw()
    if (open) {
      this.failed.delete(place)
      this.fetchOpen()
    }
  }

  focus(place) {
    this.focused = place
    for (const item of this.box.children) if (item.dataset.place) item.tabIndex = item.dataset.place === place ? 0 : -1
    const item = this.item(place)
    item?.focus({ preventScroll: true })
    item?.scrollIntoView({ block: "nearest" })
  }

  listen() {
    this.box.onclick = (event) => {
      const item = event.target.closest(".row")
      if (!item) return
      const place = item.dataset.place
      const row = this.visible.find((row) => row.place === place)
      if (event.target.closest(".twist") && row.kind !== "leaf") {
        this.focused = place
        this.toggle(place, !this.open.has(place))
      } else {
        if (row.kind !== "leaf" && !this.open.has(place)) this.toggle(place, true)
        this.choose(place)
      }
      this.focus(place)
    }
    this.box.onkeydown = (event) => this.key(event)
    this.input.oninput = () => {
      clearTimeout(this.searching)
      this.clear.hidden = !this.input.value
      this.searching = setTimeout(() => this.search(), SEARCH_MS)
    }
    this.input.onkeydown = (event) => {
      if (event.key === "ArrowDown") this.move(event, this.found.querySelector("button"))
      if (event.key === "Escape") this.endSearch()
    }
    this.clear.onclick = () => {
      this.endSearch()
      this.input.focus()
    }
    this.found.onkeydown = (event) => {
      const buttons = [...this.found.querySelectorAll("button")]
      const at = buttons.indexOf(event.target)
      if (event.key === "ArrowDown") this.move(event, buttons[at + 1])
      if (event.key === "ArrowUp") this.move(event, buttons[at - 1] || this.input)
      if (event.key === "Home") this.move(event, buttons[0])
      if (event.key === "End") this.move(event, buttons[buttons.length - 1])
      if (event.key === "Escape") {
        this.endSearch()
        this.input.focus()
      }
    }
  }

  move(event, target) {
    event.preventDefault()
    target?.focus()
  }

  key(event) {
    if (event.target.closest(".again") || event.ctrlKey || event.metaKey || event.altKey) return
    const at = this.visible.findIndex((row) => row.place === this.focused)
    const row = this.visible[at]
    if (!row) return
    const branch = row.kind !== "leaf"
    const open = branch && this.open.has(row.place)
    const go = (next) => next && this.focus(next.place)
    const done = {
      ArrowDown: () => go(this.visible[at + 1]),
      ArrowUp: () => go(this.visible[at - 1]),
      Home: () => go(this.visible[0]),
      End: () => go(this.visible[this.visible.length - 1]),
      ArrowRight: () => (branch && !open ? this.toggle(row.place, true) : branch && go(this.visible[at + 1])),
      ArrowLeft: () => (open ? this.toggle(row.place, false) : row.parent && this.focus(row.parent)),
      Enter: () => this.choose(row.place),
      " ": () => this.choose(row.place),
      "*": () => this.siblings(row),
    }[event.key]
    if (!done && event.key.length !== 1) return
    event.preventDefault()
    event.stopPropagation()
    if (!done) return this.typeAhead(event.key, at)
    this.typed = ""
    done()
  }

  siblings(row) {
    const beside = this.visible.filter((other) => other.parent === row.parent && other.kind !== "leaf")
    for (const other of beside) this.open.add(other.place)
    this.keep()
    this.draw()
    this.fetchOpen()
  }

  typeAhead(key, at) {
    clearTimeout(this.typing)
    this.typing = setTimeout(() => (this.typed = ""), TYPE_AHEAD_MS)
    const letter = key.toLowerCase()
    if (this.typed !== letter) this.typed += letter // the same letter again goes on to the next name with it
    const from = this.typed === letter ? at + 1 : at
    const inOrder = [...this.visible.slice(from), ...this.visible.slice(0, from)]
    const next = inOrder.find((row) => row.title.toLowerCase().startsWith(this.typed))
    if (next) this.focus(next.place)
  }

  // ------------------------------------------------ searching

  async search() {
    const text = this.input.value.trim()
    this.asked = text
    if (!text) return this.endSearch()
    let said
    try {
      said = await this.ask("api/tree/search", [["q", text]])
    } catch (error) {
      if (this.asked === text) this.show([element("p", "none", error.status ? error.message : "The app cannot be reached.")], "")
      return
    }
    if (this.asked !== text || this.stopped) return
    const made = [
      ...this.group("Names", said.names, text),
      ...this.group("Passages", said.passages, text),
    ]
    const count = said.names.length + said.passages.length
    if (!count) made.push(element("p", "none", `Nothing in the tree is called “${text}” or has these words. Try fewer or other words.`))
    this.show(made, count === 1 ? "1 result" : `${count} results`)
  }

  show(made, spoken) {
    this.found.replaceChildren(...made)
    this.found.hidden = false
    this.found.scrollTop = 0
    this.live.textContent = spoken
  }

  endSearch() {
    this.asked = ""
    this.input.value = ""
    this.clear.hidden = true
    this.found.hidden = true
    this.found.replaceChildren()
    this.live.textContent = ""
  }

  group(heading, results, text) {
    if (!results.length) return []
    const list = element("ul")
    list.append(
      ...results.map((result) => {
        const item = element("li")
        const button = element("button", "result")
        button.type = "button"
        const first = element("span", "first")
        first.append(icon(result.kind), this.named(result, heading === "Names" ? text : ""))
        button.append(first)
        if (result.snippet) {
          const snippet = element("span", "snippet")
          for (const [part, hit] of result.snippet) snippet.append(hit ? element("mark", "", part) : part)
          button.append(snippet)
        }
        if (result.path) button.append(element("span", "path", result.path))
        button.onclick = () => {
          for (const other of this.found.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current")
          button.setAttribute("aria-current", "true")
          this.selected = ""
          this.send("select", result.place)
        }
        item.append(button)
        return item
      }),
    )
    return [element("h3", "", heading), list]
  }

  named(result, text) {
    const title = element("span", "title")
    const at = text ? result.title.toLowerCase().indexOf(text.toLowerCase()) : -1
    if (at < 0) {
      title.textContent = result.title
      return title
    }
    const end = at + text.length
    title.append(result.title.slice(0, at), element("mark", "", result.title.slice(at, end)), result.title.slice(end))
    return title
  }
}
