/** Shows what held on the day below the pointer: in the legend of its chart, and by a line. */
export const pointAtDays = () => {
  for (const figure of document.querySelectorAll("[data-chart]")) {
    const drawing = figure.querySelector("svg.lines")
    const show = showing(figure)
    drawing.addEventListener("pointermove", (event) => {
      const { left, width } = drawing.getBoundingClientRect()
      show(((event.clientX - left) / width) * 1000)
    })
    drawing.addEventListener("pointerleave", () => show(null))
  }
}

/** Takes a place in the drawing, null = none: then the legend has the last values again. */
const showing = (figure) => {
  const [pointer, pointed] = [figure.querySelector(".pointer"), figure.querySelector(".pointed")]
  const legend = [...figure.querySelectorAll(".legend li:not(.key)")].map((item) => ({
    value: item.querySelector("b"),
    also: item.querySelector("small")
  }))
  const last = legend.map(({ value }) => value.textContent)
  // The table has its newest day first.
  const days = [...figure.querySelectorAll("tbody tr")].map((row) => {
    const [day, ...cells] = row.cells
    return { day: day.textContent, x: Number(day.dataset.x), cells: cells.slice(-legend.length) }
  })
  return (place) => {
    const found = place === null ? undefined : days.findIndex(({ x }) => x <= place)
    const at = found === -1 ? days.length - 1 : found
    const day = at === undefined ? undefined : days[at]
    pointer.classList.toggle("seen", day !== undefined)
    pointed.textContent = day === undefined ? "" : `, ${day.day}`
    for (const [index, { also, value }] of legend.entries()) {
      if (also !== null) also.hidden = day !== undefined
      value.textContent = day === undefined ? last[index] : heldAt(days.slice(at), index)
    }
    if (day === undefined) return
    pointer.setAttribute("x1", `${day.x / 10}%`)
    pointer.setAttribute("x2", `${day.x / 10}%`)
  }
}

/** The value of the newest of these days on which the line was read. */
const heldAt = (days, index) => {
  const read = days.find(({ cells }) => cells[index].textContent.trim() !== "")
  return read === undefined ? "–" : (read.cells[index].querySelector("b")?.textContent ?? "–")
}
