// `/` goes to the search field, but not while something is being written.
addEventListener("keydown", (event) => {
  const writes = event.target instanceof Element && event.target.closest("input, textarea, select") !== null
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return
  event.preventDefault()
  document.getElementById("find")?.focus()
})

// Ctrl+Enter runs the query that is being written.
document.getElementById("sql")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit()
})

// The tables below charts are open for those without scripts.
for (const values of document.querySelectorAll("details.values")) values.open = false

if (document.querySelector("[data-chart]") !== null) {
  const { pointAtDays } = await import("./charts.js")
  pointAtDays()
}
