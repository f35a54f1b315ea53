// Asks the server every two seconds for the state of the sources; no page script runs for it.
const SECONDS = 2
const BUSY = "The database is busy: another program is writing to it. What was clicked or asked waits, and goes on by itself."

// What is said over the page: it stands still while the server waits, so it cannot say so itself.
const say = words => {
  let said = document.getElementById("kt-busy")
  if (!said) {
    said = document.createElement("div")
    said.id = "kt-busy"
    said.setAttribute("role", "status")
    document.body.append(said)
  }
  if (said.textContent !== words) said.textContent = words
}

export default function ({ parentElement }) {
  const root = parentElement.querySelector(".status")
  if (root.timer) return
  const line = (cls, text, title) => {
    const element = document.createElement("div")
    element.className = cls
    element.textContent = text
    if (title) element.title = title
    return element
  }
  const none = () => {
    const item = line("none", "None yet.")
    item.setAttribute("role", "listitem")
    return item
  }
  const draw = sources => root.replaceChildren(...sources.length ? sources.map(source => {
    const item = document.createElement("div")
    item.className = `item ${source.tone}`
    item.setAttribute("role", "listitem")
    item.append(line("name", source.name), line("words", source.words, source.detail))
    if (source.upgrades) item.append(line("upgrades", source.upgrades))
    if (source.news) item.append(line("news", source.news, source.news))
    if (source.progress !== null) {
      const bar = document.createElement("progress")
      bar.max = 1
      bar.value = source.progress
      bar.setAttribute("aria-label", `${source.name}: ${source.label.toLowerCase()}`)
      item.append(bar)
    }
    return item
  }) : [none()])
  const cannot = words => {
    say("")
    root.replaceChildren(line("item error", words))
  }
  const look = async () => {
    if (document.hidden) return
    try {
      const response = await fetch(new URL("api/status", document.baseURI), { headers: { accept: "application/json" } })
      if (response.status === 401) return location.reload()  // the session has ended: the guard shows where to sign in
      if (response.status === 503) return cannot((await response.json()).error)  // the database cannot be reached
      if (!response.ok) throw new Error(String(response.status))
      const { sources, message, busy } = await response.json()
      say(busy ? BUSY : "")
      message ? root.replaceChildren(line("item error", message)) : draw(sources)
    } catch {
      cannot("The app does not answer. This line updates when it is back.")
    }
  }
  root.timer = setInterval(look, SECONDS * 1000)
  document.addEventListener("visibilitychange", look)
  look()
  return () => { clearInterval(root.timer); root.timer = 0; document.removeEventListener("visibilitychange", look) }
}
