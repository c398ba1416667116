// How a page is framed: where it begins, which sizes its texts have, how high its controls are, which forms are open, which charts and fields
// have no name.
export const frameOf = () => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  const sizes = new Set(shown("input, select, button, textarea").map((one) => getComputedStyle(one).fontSize))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { parentElement, textContent } = texts.currentNode
    if (textContent.trim() !== "" && parentElement.checkVisibility())
      sizes.add(getComputedStyle(parentElement).fontSize)
  }
  const controls = shown("input, select, button, .switch a, .games > summary, .fold > summary")
  const charts = shown("svg").filter((one) => !one.closest("[aria-hidden], [aria-label]"))
  const fields = shown("input, select, textarea").filter(({ ariaLabel, labels }) => labels.length === 0 && !ariaLabel)
  const after = document.querySelector("main .head + *")
  return {
    title: document.querySelector("h1").getBoundingClientRect().top,
    content: after === null ? null : after.getBoundingClientRect().top,
    width: document.documentElement.scrollWidth,
    sizes: [...sizes].toSorted(),
    heights: [...new Set(controls.map((one) => one.getBoundingClientRect().height))],
    nameless: [...charts, ...fields].map((one) => one.outerHTML.slice(0, 80)),
    openForms: shown("form.choose").length
  }
}
