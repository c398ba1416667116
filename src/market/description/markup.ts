import { html, type Html, ownMarkup, type Shown } from "../../desk/pages/html.ts"

/** A sentence with `code` and **strong** words. */
export const sentence = (text: string): Html =>
  ownMarkup(
    html`${text}`.markup
      .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
      .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
  )

/** Paragraphs, and lines that begin with `- ` as a list. */
export const paragraphs = (text: string): ReadonlyArray<Html> =>
  text.split("\n\n").map((block) =>
    block.startsWith("- ")
      ? html`<ul>
          ${block.split("\n").map((line) => html`<li>${sentence(line.slice(2))}</li>`)}
        </ul>`
      : html`<p>${sentence(block)}</p>`
  )

/** A table without a caption, as its heading says what it has; nothing without rows. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Shown>>): Html | false =>
  rows.length > 0 &&
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`
        )}
      </tbody>
    </table>
  </div>`

/** An example, as it was sent or answered. */
export const json = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`

/** These with words between them. */
export const joined = (parts: ReadonlyArray<Shown>, between: Shown): ReadonlyArray<Shown> =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))
