import { html, type Html, type Shown } from "./html.ts"

interface TableParts {
  readonly caption: string
  /** Cells of the head, `th` each. */
  readonly heads: ReadonlyArray<Html>
  /** The cells of each row, `td` each. */
  readonly rows: ReadonlyArray<ReadonlyArray<Html>>
}

/** A table that scrolls inside its own box where the page is narrow. */
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

/** A list of facts with labels. Those without a value are left out. */
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
