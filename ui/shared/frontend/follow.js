// Asks the server every few seconds whether the page is still as it was drawn; no page script runs for it. Also when an answer has
// ended (turn.js) it is here that the page is asked for.
const SECONDS = 5
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("span")
  let seen = data.seen
  let looking = false
  const again = () => {
    if (seen === null || !root.isConnected) return
    seen = null // once: the page that is drawn begins anew
    setTriggerValue("changed", true)
  }
  const look = async () => {
    if (document.hidden || looking || !seen) return
    looking = true
    try {
      const address = new URL(data.address, document.baseURI)
      address.searchParams.set("seen", seen)
      const response = await fetch(address, { headers: { accept: "application/json" } })
      const now = response.ok && root.isConnected ? (await response.json()).seen : seen
      if (!now) again()
      else if (seen) seen = now
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
