// Makes the panel around it a region with a name, puts the focus into it when it opens, and closes it with Escape.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".keys")
  const panel = root.getRootNode().host?.closest(".st-key-source-panel") ?? root.closest(".st-key-source-panel")
  if (!panel) return
  panel.setAttribute("role", "complementary")
  panel.setAttribute("aria-label", data.label)
  panel.tabIndex = -1
  if (root.shown !== data.opened) {
    root.shown = data.opened
    panel.scrollTop = 0
    requestAnimationFrame(() => panel.focus({ preventScroll: true }))
  }
  const close = event => {
    if (event.key !== "Escape" || event.defaultPrevented) return
    if (document.querySelector("[data-testid=stDialog], [data-baseweb=popover], [data-testid=stPopoverBody]")) return
    setTriggerValue("close", true)
  }
  document.addEventListener("keydown", close)
  return () => document.removeEventListener("keydown", close)
}
