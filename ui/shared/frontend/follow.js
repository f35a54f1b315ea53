// Asks the server every few seconds whether the page is still as it was drawn; no page script runs for it.
const SECONDS = 5
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("span")
  let seen = data.seen
  let looking = false
  const look = async () => {
    if (document.hidden || looking || !seen) return
    looking = true
    try {
      const address = new URL(data.address, document.baseURI)
      address.searchParams.set("seen", seen)
      const response = await fetch(address, { headers: { accept: "application/json" } })
      if (response.ok && root.isConnected) {
        seen = (await response.json()).seen
        if (!seen) setTriggerValue("changed", true)
      }
    } catch { /* the status line says that the app does not answer */ } finally { looking = false }
  }
  root.stop?.()
  const timer = setInterval(look, SECONDS * 1000)
  document.addEventListener("visibilitychange", look)
  root.stop = () => { clearInterval(timer); document.removeEventListener("visibilitychange", look) }
  return root.stop
}
