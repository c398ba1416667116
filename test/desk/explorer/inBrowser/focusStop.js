// Which of the places that Tab reaches has the focus, how many there are, its outline in pixels.
export const focusStop = () => {
  const all = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
  )
  const places = [...all].filter((one) => one.checkVisibility())
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return {
    place: places.indexOf(document.activeElement),
    places: places.length,
    outline: outlineStyle === "solid" ? Number.parseFloat(outlineWidth) : 0
  }
}
