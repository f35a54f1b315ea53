// On a telephone the sidebar covers the page: it closes once a page or a chat was chosen in it.
const CHOOSES = "[data-testid=stSidebarNavLink], .st-key-new-chat button, [class*=st-key-chat-] button"
const SIDEBAR = "[data-testid=stSidebar]"
const CLOSES = "[data-testid=stSidebarCollapseButton] button"
const OPENS = "[data-testid=stExpandSidebarButton]" // there while the sidebar is closed
const NARROW = 768 // pixels, up to which Streamlit lays the sidebar over the page
const AGAIN = 100, TIMES = 20 // milliseconds between two tries: a click is lost where the page is being drawn anew

export default function () {
  const close = left => {
    if (document.querySelector(OPENS)) return
    document.querySelector(CLOSES)?.click()
    if (left) setTimeout(close, AGAIN, left - 1)
  }
  const chosen = event => {
    const link = event.target.closest?.(CHOOSES)
    if (!link?.closest(SIDEBAR) || innerWidth > NARROW) return
    setTimeout(close, 0, TIMES)
  }
  document.addEventListener("click", chosen)
  return () => document.removeEventListener("click", chosen)
}
