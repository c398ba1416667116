import { grouped } from "../../store/diff/formatAmount.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import {
  type Document,
  type DocumentBlock,
  type DocumentColumn,
  type DocumentSection,
  type DocumentTable,
  maxTextLength,
  type Sentence,
  sentenceParts
} from "./document.ts"
import { documentStyles } from "./everyPage.ts"
import { html, type Html, htmlDocument, ownMarkup, tableBox } from "./html.ts"

/**
 * Renders a document as one self-contained HTML file, to open or to mail: no scripts, inline styles and drawings. URLs
 * of the feed are readable, but encoded so that no scanner mistakes them for external resources.
 */
export const documentHtml = ({ foot, intro, kicker, sections, title }: Document): string =>
  htmlDocument(
    sentenceParts(title).join(""),
    html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
      <style>
        ${ownMarkup(documentStyles())}
      </style>`,
    html`<main>
        <div class="head">
          <p class="kicker">${kicker}</p>
          <h1>${inline(title)}</h1>
        </div>
        ${intro.map(block)} ${contents(sections)} ${sections.map(section)}
      </main>
      ${foot !== undefined && html`<footer><p>${inline(foot)}</p></footer>`}`
  )
    .replaceAll("://", ":&#47;/")
    .trimEnd()

const inline = (sentence: Sentence): ReadonlyArray<string | Html> =>
  sentenceParts(sentence).map((part) =>
    typeof part === "string" ? part : html`<code>${shownText(part.code, maxTextLength)}</code>`
  )

const block = (one: DocumentBlock): Html | false => {
  if ("drawing" in one) return one.drawing
  const text = inline(one.sentence)
  return one.sentence !== "" && html`<p class="${one.isStrong === true ? "held" : "says"}">${text}</p>`
}

/** Links to the sections that have an anchor. */
const contents = (sections: ReadonlyArray<DocumentSection>): Html | false =>
  sections.some(({ id }) => id !== undefined) &&
  html`<nav class="switch" aria-label="Sections">
    ${sections.map(({ count, id, title }) => html`<a class="${id}" href="#${id}">${title} <b>${grouped(count ?? 0)}</b></a>`)}
  </nav>`

const section = ({ amount, id = "", more = 0, says, tables, title }: DocumentSection): Html =>
  html`<details open id="${id}" class="${id}">
    <summary>
      <h2>${title}</h2>
      <span>${amount}</span>
    </summary>
    ${says.map((sentence) => html`<p class="says">${inline(sentence)}</p>`)} ${tables.map(table)}
    ${more > 0 && html`<p class="says">… and ${grouped(more)} more</p>`}
  </details>`

const table = ({ caption, columns, rows }: DocumentTable): Html =>
  tableBox({
    caption,
    heads: columns.map(({ label, shape }) => html`<th scope="col" class="${shape}">${label}</th>`),
    rows: rows.map((row) => columns.map((column, place) => cell(column, row[place] ?? "")))
  })

/** A cell. On a narrow page it is below its label; an empty one is left out there. */
const cell = ({ label, shape, side }: DocumentColumn, text: string): Html => {
  const tone = shape !== "signed" ? "" : /^[-−]/.test(text) ? " fall" : text.startsWith("+") ? " rise" : ""
  return html`<td class="${shape} ${side ?? ""}${tone}" data-label="${label}">${shownText(text, maxTextLength)}</td>`
}
