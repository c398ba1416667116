// `/` goes to the search field, but not while something is being written.
addEventListener("keydown", (event) => {
  const writes = event.target instanceof Element && event.target.closest("input, textarea, select") !== null
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return
  event.preventDefault()
  document.getElementById("find")?.focus()
})

if (document.querySelector("[data-chart]") !== null) {
  const { drawCharts } = await import("./charts.js")
  drawCharts()
}
