// How many lines each chart has by its table, and the colours on its canvas, as `red green blue`.
export const drawnCharts = () =>
  [...document.querySelectorAll("[data-chart]")].map((chart) => {
    const canvas = chart.querySelector("canvas")
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
    const colours = new Set()
    for (let at = 0; at < pixels.length; at += 4) {
      if (pixels[at + 3] === 255) colours.add(`${pixels[at]} ${pixels[at + 1]} ${pixels[at + 2]}`)
    }
    return { lines: chart.querySelectorAll("thead th.figure").length, colours: [...colours] }
  })
