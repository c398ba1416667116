import { shownLines, shownText } from "../../feed/contract/shownText.ts"

const longest = 20_000

/** Safe markup; only {@link html} creates it. */
export interface Html {
  readonly markup: string
}

/** A value in a template. Text is escaped and its invisible characters are shown; absent values are empty. */
export type Shown = Html | string | number | bigint | false | null | undefined | ReadonlyArray<Shown>

/** A template of markup. Every value is escaped, in an element or a quoted attribute, except safe markup. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Shown>): Html => ({
  markup: withoutIndentation(parts)
    .map((part, index) => (index === 0 ? part : shown(values[index - 1]) + part))
    .join("")
})

const unindented = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

/** Returns the parts of a template without the indentation of its source, a sixth of a page's size. */
const withoutIndentation = (parts: TemplateStringsArray): ReadonlyArray<string> => {
  const known = unindented.get(parts) ?? parts.map((part) => part.replaceAll(/\n\s+/g, "\n"))
  unindented.set(parts, known)
  return known
}

/** Escapes a text that a form sends back unchanged. */
export const exactly = (text: string): Html => ({ markup: escaped(text) })

/** Marks a text of this program as safe markup. It must not contain text of the feed. */
export const ownMarkup = (markup: string): Html => ({ markup })

const shown = (value: Shown): string => {
  if (value === null || value === undefined || value === false) return ""
  if (typeof value === "string") return escaped(shownLines(value, longest))
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  return isList(value) ? value.map(shown).join("") : value.markup
}

const isList = (value: Html | ReadonlyArray<Shown>): value is ReadonlyArray<Shown> => Array.isArray(value)

/** The entities of letters that markup would not show as they are. */
export const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)

/** The parts of a page. Files are addresses on the same server. */
export interface PageParts {
  readonly title: string
  /** The name of the site; a page whose title is this name shows it only once. */
  readonly site: string
  readonly icon: string
  readonly styles: string
  /** A module script; absent = no script. */
  readonly script?: string
  /** The navigation above the page. */
  readonly header: Shown
  readonly body: Shown
  readonly footer?: Shown
}

const maxTitleLength = 200

/** A complete document; `links` are link and script elements of its head. */
export const htmlDocument = (title: string, links: Html, body: Html): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${links}
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup
  }\n`

/** A page of a server. It loads files only from that server. */
export const pageDocument = ({ body, footer, header, icon, script, site, styles, title }: PageParts): string =>
  htmlDocument(
    title === site ? site : `${shownText(title, maxTitleLength)} · ${site}`,
    html`<link rel="icon" href="${icon}" />
      <link rel="stylesheet" href="${styles}" />
      ${script !== undefined && html`<script type="module" blocking="render" src="${script}"></script>`}`,
    html`<a class="skip" href="#main">Skip to content</a>
      <header>${header}</header>
      <main id="main" tabindex="-1">${body}</main>
      ${footer !== undefined && html`<footer>${footer}</footer>`}`
  )

/** The head of a page: its context, its title, one sentence. */
export const pageHead = (kicker: string, title: string, says: Html | string = ""): Html =>
  html`<div class="head">
    <p class="kicker">${shownText(kicker, maxTitleLength)}</p>
    <h1>${shownText(title, maxTitleLength)}</h1>
    ${says !== "" && html`<p class="says">${says}</p>`}
  </div>`

/** The attribute that marks the link to the current page. */
export const currentPage = html` aria-current="page"`

interface TableParts {
  readonly caption: string
  /** The header cells, each a `th`. */
  readonly heads: Shown
  /** The cells of each row, each a `td`. */
  readonly rows: ReadonlyArray<Shown>
}

/** A table that scrolls horizontally on a narrow page. */
export const tableBox = ({ caption, heads, rows }: TableParts): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        <span>${caption}</span>
      </caption>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells}
            </tr> `
        )}
      </tbody>
    </table>
  </div>`

/** A list of labelled facts. Those without a value are left out. */
export const factList = (facts: ReadonlyArray<readonly [label: string, value: Shown]>): Html =>
  html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false)
      .map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`
      )}
  </dl>`
