// The search of a site of files: it looks through a list that is loaded when somebody goes to the field.
const root = new URL("..", document.currentScript.src)
const place = document.querySelector("[data-find]")
const field = Object.assign(document.createElement("input"), {
  id: "find",
  type: "search",
  placeholder: "Name, set or number",
  autocomplete: "off"
})
field.setAttribute("aria-label", "Search products")
const list = Object.assign(document.createElement("ul"), { id: "found", hidden: true })
const said = Object.assign(document.createElement("p"), { className: "unseen" })
said.setAttribute("role", "status")
place.append(field, list, said)

/** As people type it: without accents, apostrophes and what is between words. */
const folded = (text) =>
  text
    .normalize("NFD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .replaceAll("æ", "ae")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
const part = (name, text) => Object.assign(document.createElement("span"), { className: name, textContent: text })

const item = ([name, about, price, file]) => {
  const link = Object.assign(document.createElement("a"), { href: new URL(file, root), textContent: name })
  const title = part("name", "")
  title.append(link)
  const shown = document.createElement("li")
  shown.append(title, part("price", price), part("about", about))
  return shown
}

let products
const show = () => {
  const words = folded(field.value).split(" ").filter(Boolean)
  list.hidden = words.length === 0 || products === undefined
  if (list.hidden) return
  const all = products.filter(({ id, text }) => words.every((word) => text.includes(word)) || words.join() === id)
  const begins = ({ id, text }) => (id === words.join() ? 0 : text.startsWith(words.join(" ")) ? 1 : 2)
  const found = all.toSorted((a, b) => begins(a) - begins(b)).slice(0, 20)
  list.replaceChildren(...found.map(({ product }) => item(product)))
  const count =
    all.length === 0
      ? "No product with a page on this site"
      : all.length === 1
        ? "1 product"
        : `${all.length.toLocaleString("en-US")} products`
  said.textContent = count
  if (all.length !== found.length || all.length === 0)
    list.append(Object.assign(document.createElement("li"), { textContent: count }))
}
field.addEventListener(
  "focus",
  () => {
    const script = Object.assign(document.createElement("script"), { src: new URL("assets/products.js", root) })
    script.addEventListener("load", () => {
      products = globalThis.cardlakeProducts.map((product) => ({
        product,
        id: /([^/]+)\.html$/.exec(product[3])?.[1],
        text: folded(`${product[0]} ${product[1]}`)
      }))
      show()
    })
    document.head.append(script)
  },
  { once: true }
)
field.addEventListener("input", show)
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") list.hidden = true
  if (event.key === "Enter") list.querySelector("a")?.click()
})
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return
  event.preventDefault()
  field.focus()
})

for (const values of document.querySelectorAll("details.values")) values.open = false
pointAtDays()
