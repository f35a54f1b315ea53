// Says to a screen reader that something is ready (only what changes while the page is open is spoken), and brings
// the newest question to the top of the window, so that an answer is read from its beginning. Once: whoever scrolls is left alone.
const SCROLLED_BY = ["wheel", "touchmove", "pointerdown", "keydown"]
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".announce")
  if (root.textContent !== data.message) root.textContent = data.message
  if (root.running && !data.running && document.hidden) noteInTitle(data.message)
  root.running = data.running
  if (data.focus && !root.focused) focusBox(root)
  if (data.turn && root.turn !== data.turn) {
    root.turn = data.turn
    root.stop?.()
    root.stop = bringToTop(data.turn, data.sent)
  }
  return () => root.stop?.()
}

// Scrolls to a question a few times, while what is above it is being drawn. One that was just `sent` gets room below it, which
// its answer fills later: without that it could not come to the top. Returns what ends all of this.
function bringToTop(turn, sent) {
  const room = new CSSStyleSheet() // no style of an element: Streamlit uses that element for another turn later
  document.adoptedStyleSheets.push(room)
  let looks = 0, shown = 0, timer
  const show = () => {
    const asked = document.querySelector(`.st-key-asked-${turn}`)
    if (asked && sent) makeRoom(room, turn, asked)
    if (asked) asked.scrollIntoView({ block: "start" })
    looks += 1
    shown += asked || !sent ? 1 : 0
    if (shown < 4 && looks < 40) timer = setTimeout(show, 150)
  }
  const leaveAlone = event => {
    if (event?.type === "keydown" && event.target.matches("textarea")) return // the next question is being typed
    clearTimeout(timer)
    for (const what of SCROLLED_BY) document.removeEventListener(what, leaveAlone, true)
  }
  show()
  for (const what of SCROLLED_BY) document.addEventListener(what, leaveAlone, { capture: true, passive: true })
  return () => {
    leaveAlone()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== room)
  }
}

// Makes the answer to a question at least so high that the question can be scrolled to the top.
function makeRoom(room, turn, asked) {
  const main = document.querySelector("[data-testid=stMain]")
  const answer = `[data-testid=stLayoutWrapper]:has(> .st-key-asked-${turn}) + *`
  const found = document.querySelector(answer)
  if (!main || !found) return
  const way = asked.getBoundingClientRect().top - main.getBoundingClientRect().top - parseFloat(getComputedStyle(asked).scrollMarginTop)
  const lack = way - (main.scrollHeight - main.clientHeight - main.scrollTop)
  if (lack > 0) room.replaceSync(`${answer} { min-height: ${Math.ceil(found.offsetHeight + lack)}px }`)
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
