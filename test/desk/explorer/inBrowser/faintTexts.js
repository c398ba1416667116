// Texts whose contrast with their background is below 4.5, each with its ratio. WCAG 2.2, 1.4.3.
export const faintTexts = () => {
  const colourOf = (text) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
    return [red, green, blue, text === "transparent" ? 0 : alpha]
  }
  const over = (above, below) => [0, 1, 2].map((part) => above[part] * above[3] + below[part] * (1 - above[3]))
  const backgroundOf = (element) => {
    if (element === null) return [255, 255, 255]
    const own = colourOf(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement))
  }
  const brightness = (colour) => {
    const part = (index) => {
      const share = colour[index] / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }
    return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
  }
  const ratio = (one, other) => {
    const [dark, light] = [brightness(one), brightness(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = []
  while (texts.nextNode() !== null) {
    const [text, element] = [texts.currentNode.textContent.trim(), texts.currentNode.parentElement]
    if (text === "" || !element.checkVisibility()) continue
    const style = getComputedStyle(element)
    const background = backgroundOf(element)
    const written = over(colourOf(element.closest("svg") === null ? style.color : style.fill), background)
    const found = ratio(written, background)
    if (found < 4.5) faint.push(`${text}: ${found.toFixed(2)}`)
  }
  return faint
}
