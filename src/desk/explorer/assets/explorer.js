// `/` goes to the search field, but not while something is being written.
addEventListener("keydown", (event) => {
  const writes = event.target instanceof Element && event.target.closest("input, textarea, select") !== null
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return
  event.preventDefault()
  document.getElementById("find")?.focus()
})

// What it offers is loaded when somebody goes to it.
const find = document.getElementById("find")
const offers = () => import("./search.js")
if (document.activeElement === find) void offers()
else find?.addEventListener("focus", offers, { once: true })

// A command can be copied where the browser allows it.
if (navigator.clipboard !== undefined) {
  for (const command of document.querySelectorAll("code.command")) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "copy",
      textContent: "Copy"
    })
    button.setAttribute("aria-label", `Copy: ${command.textContent}`)
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.textContent)
      button.textContent = "Copied"
    })
    command.after(" ", button)
  }
}
// The tables below charts are open for those without scripts.
for (const values of document.querySelectorAll("details.values")) values.open = false

if (document.querySelector("[data-chart]") !== null) {
  const { pointAtDays } = await import("./charts.js")
  pointAtDays()
}

// Filters that are in use are open where there is room for them.
if (matchMedia("(min-width: 44rem)").matches) {
  for (const fold of document.querySelectorAll(".fold.used")) fold.open = true
}
// Rows that are moved begin where they show what is chosen, if that would be out of sight.
for (const here of document.querySelectorAll(".row [aria-current], .switch [aria-current]")) {
  const row = here.parentElement
  const place = here.offsetLeft - row.offsetLeft
  if (place + here.offsetWidth > row.clientWidth - 24) row.scrollTo({ left: place })
}
// The menu of games goes away when somebody looks elsewhere.
const menu = document.querySelector("details.games")
addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false
})
menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return
  menu.open = false
  menu.querySelector("summary").focus()
})
if (document.getElementById("sql") !== null) await import("./query.js")
