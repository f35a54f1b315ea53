// Shows a passage with its cited, added and removed words marked, scrolled to those that are current, else to the first of them:
// `data.html`, or the text of `data.parts`, [[text, kind], ...].
const TAGS = { cited: "mark", current: "mark", added: "ins", removed: "del" }

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".passage")
  const drawn = JSON.stringify([data.parts, data.html])
  if (root.drawn === drawn) return
  root.drawn = drawn
  root.setAttribute("aria-label", data.label)
  root.className = data.html ? "passage document" : data.code ? "passage code" : "passage"
  if (data.html) root.innerHTML = data.html // made by ui/chat/document_html.py
  else root.replaceChildren(...data.parts.map(([text, kind]) => {
    if (!TAGS[kind]) return document.createTextNode(text)
    const mark = document.createElement(TAGS[kind])
    if (kind === "current") mark.className = kind
    mark.textContent = text
    return mark
  }))
  for (const mark of root.querySelectorAll(".current")) mark.setAttribute("aria-current", "true")
  const first = root.querySelector(".current") ?? root.querySelector("mark, ins, del")
  // not by offsetTop, which a cell of a table counts from itself
  const show = () => { if (first) root.scrollTop += first.getBoundingClientRect().top - root.getBoundingClientRect().top - root.clientHeight / 4 }
  // the drawer slides in: its height is known only then
  requestAnimationFrame(show)
  setTimeout(show, 350)
}
