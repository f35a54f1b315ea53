// Asks the server every few seconds whether the page is still as it was drawn; no page script runs for it. Also when an answer has
// ended (turn.js) it is here that the page is asked for.
const SECONDS = 5, LONGEST_SECONDS = 20
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("span")
  let seen = data.seen
  let looking = false
  let askedFor = -Infinity // when the page was asked for
  // Not again and again while the page is on its way; but where it comes just as it was, this is not begun anew, and goes on.
  const again = () => {
    if (performance.now() - askedFor < 1000 * SECONDS || !root.isConnected) return
    askedFor = performance.now()
    setTriggerValue("changed", true)
  }
  const look = async () => {
    if (document.hidden || looking) return
    looking = true
    try {
      const address = new URL(data.address, document.baseURI)
      address.searchParams.set("seen", seen)
      const response = await fetch(address, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(1000 * LONGEST_SECONDS) })
      const now = response.ok && root.isConnected ? (await response.json()).seen : seen
      if (now) seen = now
      else again()
    } catch { /* the status line says that the app does not answer */ } finally { looking = false }
  }
  root.stop?.()
  const timer = setInterval(look, SECONDS * 1000)
  document.addEventListener("visibilitychange", look)
  document.addEventListener("knowledge-tree-ended", again)
  root.stop = () => {
    clearInterval(timer)
    document.removeEventListener("visibilitychange", look)
    document.removeEventListener("knowledge-tree-ended", again)
  }
  return root.stop
}
