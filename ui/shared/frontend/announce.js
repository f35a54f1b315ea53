// Says to a screen reader that something is ready (only what changes while the page is open is spoken), and brings
// the newest question to the top of the window, so that an answer is read from its beginning.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".announce")
  if (root.textContent !== data.message) root.textContent = data.message
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
