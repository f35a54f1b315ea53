// What the tree is narrowed to: decisions, actions, events, a kind of content, words that they have. The explorer listens to it.

const FILTER_MS = 250
const CHOICES = { decision: "decisions", action: "actions", event: "events" }

class TreeFilter {
  /** `changed` is called when the person has chosen something else. */
  constructor(root, changed) {
    this.changed = changed
    this.bar = root.querySelector(".filters")
    this.chips = [...this.bar.querySelectorAll(".chip")]
    this.kind = this.bar.querySelector("select")
    this.words = this.bar.querySelector(".containing")
    this.off = this.bar.querySelector(".off")
    this.told = root.querySelector(".narrowed")
    for (const chip of this.chips) {
      chip.onclick = () => {
        chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true")
        this.choose()
      }
    }
    this.kind.onchange = () => this.choose()
    this.words.oninput = () => {
      clearTimeout(this.waiting)
      this.waiting = setTimeout(() => this.changed(), FILTER_MS)
    }
    this.words.onkeydown = (event) => event.key === "Escape" && this.clear()
    this.off.onclick = () => this.clear()
  }

  get has() {
    return this.chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.has)
  }

  get isOn() {
    return this.has.length > 0 || this.kind.value !== ""
  }

  /** As parameters of an address; none while everything is shown. */
  get parameters() {
    if (!this.isOn) return []
    const chosen = this.has.map((sort) => ["has", sort])
    if (this.kind.value) chosen.push(["type", this.kind.value])
    if (this.has.length && this.words.value.trim()) chosen.push(["text", this.words.value.trim()])
    return chosen
  }

  choose() {
    this.words.hidden = !this.has.length
    this.off.hidden = !this.isOn
    this.changed()
  }

  clear() {
    for (const chip of this.chips) chip.setAttribute("aria-pressed", "false")
    this.kind.value = ""
    this.words.value = ""
    this.choose()
    this.chips[0].focus()
  }

  /** How many passages there are for each choice, and how many match. */
  show(said) {
    for (const chip of this.chips) {
      const count = said.choices.sorts[chip.dataset.has] || 0
      chip.querySelector(".number").textContent = count.toLocaleString("en")
      chip.disabled = !count && chip.getAttribute("aria-pressed") !== "true"
    }
    const chosen = this.kind.value
    const all = new Option("Any kind of content", "")
    const kinds = said.choices.types.map((kind) => new Option(`${kind.name} (${kind.count.toLocaleString("en")})`, kind.id))
    if (chosen && !said.choices.types.some((kind) => kind.id === chosen)) kinds.push(new Option(this.kind.selectedOptions[0].text.replace(/ \([\d,]+\)$/, " (0)"), chosen))
    this.kind.replaceChildren(all, ...kinds)
    this.kind.value = chosen
    this.told.hidden = !this.isOn
    this.told.textContent = this.isOn ? this.sentence(said.matches) : ""
  }

  fail(words) {
    this.told.hidden = false
    this.told.textContent = words
  }

  sentence(count) {
    const what = this.has.map((sort) => CHOICES[sort]).join(" or ")
    const words = this.has.length && this.words.value.trim() ? ` that say “${this.words.value.trim()}”` : ""
    const passages = count === 1 ? "1 passage" : `${count.toLocaleString("en")} passages`
    if (!count) return `No passage has ${what || "this kind of content"}${words}.`
    return what ? `${passages} with ${what}${words}` : `${passages} of this kind`
  }
}
