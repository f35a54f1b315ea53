// Shows a passage with its cited, added and removed words marked, scrolled to those of `data.first`, else to the first of them:
// `data.html`, or the text of `data.parts`, [[text, kind], ...].
const TAGS = { cited: "mark", added: "ins", removed: "del" }
const words = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
// Marks of one passage may stand in several elements: the first that has nothing but words of it.
function firstOf(marks, text) {
  const wanted = new Set(words(text))
  const share = mark => { const said = words(mark.textContent); return said.filter(word => wanted.has(word)).length / Math.max(1, said.length) }
  const best = Math.max(...marks.map(share))
  return (wanted.size && marks.find(mark => share(mark) === best)) || marks[0]
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".passage")
  const drawn = JSON.stringify([data.parts, data.html, data.first])
  if (root.drawn === drawn) return
  root.drawn = drawn
  root.setAttribute("aria-label", data.label)
  root.className = data.html ? "passage document" : data.code ? "passage code" : "passage"
  if (data.html) root.innerHTML = data.html // made by ui/chat/document_html.py
  else root.replaceChildren(...data.parts.map(([text, kind]) => {
    if (!TAGS[kind]) return document.createTextNode(text)
    const mark = document.createElement(TAGS[kind])
    mark.textContent = text
    return mark
  }))
  const first = firstOf([...root.querySelectorAll("mark, ins, del")], data.first ?? "")
  // the drawer slides in: its height is known only then
  const show = () => { if (first) root.scrollTop = Math.max(0, first.offsetTop - root.offsetTop - root.clientHeight / 4) }
  requestAnimationFrame(show)
  setTimeout(show, 350)
}
