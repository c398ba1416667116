import { readFileSync } from "node:fs"
import { amountOf, grouped } from "../../store/diff/amountOf.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import { kindsChart, movesChart } from "./noteCharts.ts"
import { columnsOf, type NoteColumn, noteSections } from "./noteSections.ts"
import {
  boundsSentence,
  changelogSentence,
  everyChange,
  heldSentence,
  identitiesSentence,
  instant,
  itemsOf,
  titledSections
} from "./noteWords.ts"
import type { Difference, NoteLine, ToldSection } from "./ReleaseNotes.ts"

/** The release notes as one HTML file that loads nothing: no script, its style and charts inside. */
export const notesHtml = (found: Difference): string => {
  const style = [
    new URL("../pages/colours.css", import.meta.url),
    new URL("./notesPage.css", import.meta.url),
    new URL("./notesSections.css", import.meta.url)
  ].map((file) => readFileSync(file, "utf8"))
  const title = `${feedText(found.gameName)}: what changed`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
${style.join("")}</style>
</head>
<body>
<header>
<p class="kicker">Release notes</p>
<h1>${feedText(found.gameName)}</h1>
<p class="span">${end("from", found.fromDeployedAt, found.fromDeployment ?? found.from)}<span class="arrow" aria-hidden="true">→</span>${end("to", found.toDeployedAt, found.toDeployment ?? found.to)}</p>
</header>
<main>
${paragraph("held", escaped(heldSentence(found)))}
${tiles(found)}
${paragraph("aside", escaped(identitiesSentence(found)))}
${paragraph("aside", escaped(`${changelogSentence(found)}.`))}
${charts(found)}
${found.sections.length === 0 ? paragraph("aside", "Nothing to report.") : contents(found.sections)}
${titledSections(found)
  .map((section) => told(found, section))
  .join("\n")}
</main>
<footer><p>Every change, field by field: <code>${escaped(everyChange(found))}</code></p></footer>
</body>
</html>`
}

const end = (word: string, at: string | null, id: string): string =>
  `<span class="end"><small>${word}</small> <b>${at === null ? "no deployment" : instant(at)}</b> <code>${feedText(id)}</code></span>`

const paragraph = (name: string, html: string): string => (html === "" ? "" : `<p class="${name}">${html}</p>`)

interface Tile {
  readonly tone: string
  readonly label: string
  readonly count: number
  readonly also: string
}

const tiles = ({ changes: { expansions, products } }: Difference): string => {
  const tile = ({ also, count, label, tone }: Tile) =>
    `<li class="${tone}"><span>${label}</span><b>${grouped(count)}</b><small>${also}</small></li>`
  return `<ul class="tiles">
${tile({ tone: "added", label: "Products added", count: products.added, also: amountOf(expansions.added, "expansion") })}
${tile({ tone: "removed", label: "Products removed", count: products.removed, also: amountOf(expansions.removed, "expansion") })}
${tile({ tone: "edited", label: "Products edited", count: products.modifiedCatalogue, also: amountOf(expansions.modifiedCatalogue, "expansion") })}
${tile({ tone: "moves", label: "Products repriced", count: products.modifiedPrice, also: "any price figure" })}
</ul>`
}

const charts = (found: Difference): string => {
  const moved = found.moveSizes.reduce((sum, { moves }) => sum + moves, 0)
  const { minMove, minPrice } = found.bounds
  const panel = (title: string, says: string, drawing: string) =>
    `<figure><figcaption><b>${title}</b> <span>${says}</span></figcaption>${drawing}</figure>`
  const moves =
    moved === 0
      ? panel("Moves of market value", "", `<p>No market value of ${minPrice} or more moved.</p>`)
      : panel(
          "Moves of market value",
          `${amountOf(moved, "price")} of ${minPrice} or more, by percent; highlighted from ${minMove} %`,
          movesChart(found)
        )
  return `<div class="charts">
${panel("Changes by kind", "products and expansions", kindsChart(found))}
${moves}
</div>`
}

const contents = (sections: ReadonlyArray<ToldSection>): string =>
  `<nav aria-label="Sections">${sections
    .map(
      ({ deployments, expansions, products, section }) =>
        `<a class="${section}" href="#${section}">${noteSections[section].title} <b>${grouped(products + expansions + deployments)}</b></a>`
    )
    .join("")}</nav>`

const told = (found: Difference, section: ToldSection): string => {
  const { says, title } = noteSections[section.section]
  const columns = columnsOf(section.section, section.lines)
  const more = section.total - section.lines.length
  return `<details open id="${section.section}" class="${section.section}">
<summary><h2>${title}</h2> <span>${itemsOf(section)}</span></summary>
<p>${section.section === "moves" ? boundsSentence(found) : says}</p>
<table>
<thead><tr>${columns.map(({ label, shape }) => `<th scope="col" class="${shape}">${label}</th>`).join("")}</tr></thead>
<tbody>
${section.lines.map((line) => `<tr>${columns.map((column) => cell(column, line)).join("")}</tr>`).join("\n")}
</tbody>
</table>
${paragraph("more", more > 0 ? `The first ${grouped(section.lines.length)}; ${grouped(more)} more.` : "")}
</details>`
}

/** On a narrow page a cell is below its label; one without text is left out. */
const cell = ({ label, name, shape, side }: NoteColumn, line: NoteLine): string => {
  const text = line[name] ?? ""
  const kind = [
    shape,
    side ?? (name === "name" ? "name" : ""),
    shape === "signed" ? (text.startsWith("-") ? "fall" : "rise") : ""
  ]
  return `<td class="${kind.filter((word) => word !== "").join(" ")}" data-label="${label}">${feedText(text)}</td>`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  // A URL stays readable, but no scan for outside resources finds it.
  "/": "&#47;"
}

/** The first letters of a text of the feed. */
const feedText = (text: string): string => escaped(shownText(text, 200))

/** Text with no meaning in HTML, in an element or an attribute. */
const escaped = (text: string): string => text.replaceAll(/[&<>"'/]/g, (letter) => entities[letter] ?? letter)
