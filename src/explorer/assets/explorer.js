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

// Ctrl+Enter runs the query that is being written.
document.getElementById("sql")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit()
})

if (document.querySelector("[data-chart]") !== null) {
  const { drawCharts } = await import("./charts.js")
  drawCharts()
}
