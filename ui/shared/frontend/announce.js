// Says to a screen reader that something is ready (only what changes while the page is open is spoken), and brings
// the newest question to the top of the window, so that an answer is read from its beginning.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".announce")
  if (root.textContent !== data.message) root.textContent = data.message
  if (root.running && !data.running && document.hidden) noteInTitle(data.message)
  root.running = data.running
  if (data.focus && !root.focused) focusBox(root)
  if (!data.turn || root.turn === data.turn) return
  root.turn = data.turn
  let tries = 0
  const show = () => {
    const asked = document.querySelector(`.st-key-asked-${data.turn}`)
    if (asked) asked.scrollIntoView({ block: "start" })
    if (++tries < 4) setTimeout(show, 150)
  }
  show()
}

// Says in the title of a tab in the background that its answer is there, until somebody looks at it.
function noteInTitle(message) {
  const MARK = "● "
  const note = () => { if (document.hidden && !document.title.startsWith(MARK)) document.title = MARK + message }
  for (const wait of [0, 500, 1500]) setTimeout(note, wait) // the page that is being drawn sets its own title
  const before = document.title
  document.addEventListener("visibilitychange", () => { if (document.title.startsWith(MARK)) document.title = before }, { once: true })
}

// Puts the cursor into the question box of a new chat, once, unless the person is elsewhere already. Not on a touch
// screen, where that would open the keyboard.
function focusBox(root) {
  root.focused = true
  if (!matchMedia("(pointer: fine)").matches) return
  let tries = 0
  const look = () => {
    if (document.activeElement !== document.body) return
    const box = document.querySelector("[data-testid=stChatInputTextArea]:not(:disabled)")
    if (box) box.focus({ preventScroll: true })
    else if (++tries < 20) setTimeout(look, 150)
  }
  look()
}
