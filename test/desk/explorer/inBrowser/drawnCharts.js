// How many lines each chart draws, how wide it is, and the colours of its lines as the browser has them.
export const drawnCharts = () =>
  [...document.querySelectorAll("[data-chart]")].map((chart) => {
    const paths = [...chart.querySelectorAll("path.night")]
    return {
      lines: paths.length,
      width: chart.querySelector("svg.lines").getBoundingClientRect().width,
      colours: paths.map((path) => getComputedStyle(path).stroke)
    }
  })
