// What the search field offers while somebody types. Without this script, its form leads to the same products.
const field = document.getElementById("find")
const form = field.form
const list = Object.assign(document.createElement("ul"), { id: "found", hidden: true })
list.setAttribute("role", "listbox")
list.setAttribute("aria-label", "Products and sets")
const said = Object.assign(document.createElement("p"), { className: "unseen" })
said.setAttribute("role", "status")
form.append(list, said)
for (const [name, value] of [
  ["role", "combobox"],
  ["aria-autocomplete", "list"],
  ["aria-controls", list.id],
  ["aria-expanded", "false"]
]) {
  field.setAttribute(name, value)
}

let chosen = -1
let asking = new AbortController()
let waits = 0

const close = () => {
  asking.abort()
  clearTimeout(waits)
  list.hidden = true
  chosen = -1
  field.setAttribute("aria-expanded", "false")
  field.removeAttribute("aria-activedescendant")
}

const part = (name, text) => Object.assign(document.createElement("span"), { className: name, textContent: text })

const option = (place, address, parts) => {
  const item = Object.assign(document.createElement("li"), { id: `found-${place}` })
  item.setAttribute("role", "option")
  item.setAttribute("aria-selected", "false")
  item.dataset.address = address
  item.append(...parts)
  // Before the field loses the focus.
  item.addEventListener("mousedown", (event) => event.preventDefault())
  item.addEventListener("click", () => location.assign(address))
  return item
}

const show = ({ found, products, sets }) => {
  const ofSets = (isWhole) =>
    sets
      .filter((set) => set.isWhole === isWhole)
      .map(({ about, address, name }) => ({ about, address, name, also: "", price: "", move: "" }))
  const offers = [...ofSets(true), ...products, ...ofSets(false)]
  const options = offers.map(({ about, address, also, move, name, price }, place) => {
    const tone = move.startsWith("+") ? "move rise" : "move fall"
    const names = also === "" ? name : `${name} (${also})`
    return option(place, address, [part("name", names), part("price", price), part("about", about), part(tone, move)])
  })
  if (found > products.length) {
    const all = `${form.action}?${new URLSearchParams(new FormData(form))}`
    options.push(option(offers.length, all, [part("name", `All ${found.toLocaleString("en-US")} products`)]))
  }
  list.replaceChildren(...options)
  list.hidden = options.length === 0
  chosen = -1
  field.removeAttribute("aria-activedescendant")
  field.setAttribute("aria-expanded", String(!list.hidden))
  said.textContent = found === 1 ? "1 product" : `${found.toLocaleString("en-US")} products`
}

const ask = async () => {
  asking.abort()
  asking = new AbortController()
  if (field.value.trim().length < 2) return close()
  try {
    const answer = await fetch(`/search/suggestions?${new URLSearchParams(new FormData(form))}`, {
      signal: asking.signal
    })
    if (answer.ok) show(await answer.json())
    else close()
  } catch (error) {
    // A later letter asks again; without an answer, the form still works.
    if (error.name !== "AbortError") close()
  }
}

const choose = (place) => {
  const options = [...list.children]
  options[chosen]?.setAttribute("aria-selected", "false")
  chosen = place < -1 ? options.length - 1 : place >= options.length ? -1 : place
  const now = options[chosen]
  if (now === undefined) return field.removeAttribute("aria-activedescendant")
  now.setAttribute("aria-selected", "true")
  now.scrollIntoView({ block: "nearest" })
  field.setAttribute("aria-activedescendant", now.id)
}

field.addEventListener("input", () => {
  clearTimeout(waits)
  waits = setTimeout(ask, 80)
})
field.addEventListener("blur", close)
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (list.hidden) return void ask()
    event.preventDefault()
    choose(event.key === "ArrowDown" ? chosen + 1 : chosen - 1)
  } else if (event.key === "Enter" && !list.hidden && chosen >= 0) {
    event.preventDefault()
    location.assign(list.children[chosen].dataset.address)
  } else if (event.key === "Escape" && !list.hidden) {
    // The text stays; a second Escape clears the field.
    event.preventDefault()
    close()
  }
})
form.addEventListener("submit", close)
// What was typed or pasted while this script was on its way.
if (document.activeElement === field && field.value !== field.defaultValue) ask()
