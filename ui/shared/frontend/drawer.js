// On a telephone the sidebar covers the page: it closes once a page or a chat was chosen in it.
const CHOOSES = "[data-testid=stSidebarNavLink], .st-key-new-chat button, [class*=st-key-chat-] button"
const CLOSES = "[data-testid=stSidebarCollapseButton] button"
const NARROW = 768 // pixels, up to which Streamlit lays the sidebar over the page

export default function () {
  const chosen = event => {
    const link = event.target.closest?.(CHOOSES)
    if (!link?.closest("[data-testid=stSidebar]") || innerWidth > NARROW) return
    setTimeout(() => document.querySelector(CLOSES)?.click())
  }
  document.addEventListener("click", chosen)
  return () => document.removeEventListener("click", chosen)
}
