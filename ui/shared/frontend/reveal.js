// Brings what somebody has just opened or gone on with into sight, above the question box; once for each `data.what`.
const GAP = 16 // pixels
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("span")
  if (root.what === data.what) return
  root.what = data.what
  if (!data.wanted) return
  let tries = 0
  const show = () => {
    const box = document.querySelector(`.st-key-${data.container}`)
    const bottom = document.querySelector("[data-testid=stBottom]")
    if (box) {
      box.style.scrollMarginBottom = `${(bottom?.offsetHeight ?? 0) + GAP}px`
      box.scrollIntoView({ block: "nearest" })
    }
    if (++tries < 4) setTimeout(show, 150) // what is in it is drawn one after the other
  }
  show()
}
