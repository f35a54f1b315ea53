// The keyboard shortcuts of the chat (told in ui/shared/shortcuts.py), but for those that are Streamlit's own.
// By the key's place, not its letter: with Alt a Mac types another one.
const BOX = "[data-testid=stChatInputTextArea]:not(:disabled)"
const GAP = 80 // pixels: what scrolls under the top of the page is not the answer that is looked at

function go(step) {
  const asked = [...document.querySelectorAll('[class*="st-key-asked-"]')]
  const tops = asked.map(each => each.getBoundingClientRect().top)
  const at = asked.findIndex(each => each.contains(document.activeElement))
  const found = at >= 0 ? asked[at + step]
    : step > 0 ? asked.find((_, n) => tops[n] > GAP) : asked.findLast((_, n) => tops[n] < GAP - 30) ?? asked[0]
  if (!found) return
  found.tabIndex = -1
  found.style.outline = "none"
  found.scrollIntoView({ block: "start" })
  found.focus({ preventScroll: true })
}

function copyLast() {
  const inside = root => [...root.querySelectorAll("*")].flatMap(e => e.shadowRoot ? [...e.shadowRoot.querySelectorAll("button[data-copy]")] : [])
  const buttons = [...document.querySelectorAll('[class*="st-key-turn-"]')].flatMap(each => [...each.querySelectorAll("button[data-copy]"), ...inside(each)])
  buttons.at(-1)?.click()
}

const KEYS = {
  KeyQ: () => document.querySelector(BOX)?.focus(),
  ArrowUp: () => go(-1),
  ArrowDown: () => go(1),
}

export default function () {
  const pressed = event => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return
    const does = event.shiftKey ? (event.code === "KeyC" ? copyLast : null) : KEYS[event.code]
    if (!does || document.querySelector("[data-testid=stDialog]")) return
    event.preventDefault()
    does()
  }
  document.addEventListener("keydown", pressed)
  return () => document.removeEventListener("keydown", pressed)
}
