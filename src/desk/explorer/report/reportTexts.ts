import { pageStyles } from "../../pages/everyPage.ts"
import { html, ownMarkup } from "../../pages/html.ts"
import type { Report, ReportTable } from "./readReport.ts"
import { shownText } from "../../../feed/contract/shownText.ts"

const isFigure = (cell: string): boolean => /^[+−]?[€$£¥]?[\d.,]+( %| [A-Z]{3})?$/.test(cell)

const htmlTable = ({ caption, heads, rows }: ReportTable) =>
  html`<div class="table">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head, at) => html`<th scope="col" class="${rows.some((row) => isFigure(row[at] ?? "")) ? "figure" : "text"}">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td class="${isFigure(cell) ? "figure" : "text"}${cell.startsWith("+") ? " rise" : cell.startsWith("−") ? " fall" : ""}">${cell}</td>`)}
            </tr>`
        )}
      </tbody>
    </table>
  </div>`

/** A report as one HTML file that loads nothing: no script, its style inside. */
export const reportHtml = ({ says, sections, title }: Report): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${ownMarkup(pageStyles().join(""))}
        </style>
      </head>
      <body>
        <main>
          <div class="head">
            <p class="kicker">Cardlake</p>
            <h1>${title}</h1>
            <p class="says">${says}.</p>
          </div>
          ${sections.map(
            (section) =>
              html`<section>
                <h2>${section.title}</h2>
                ${section.says.map((sentence) => html`<p class="says">${sentence}</p>`)}
                ${section.tables.map(htmlTable)}
              </section>`
          )}
        </main>
      </body>
    </html>`.markup
  }\n`

/** A text of the feed in Markdown: no sign of it means anything. */
const plain = (text: string): string =>
  shownText(text.replaceAll(/\s+/g, " ")).replaceAll(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`)

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const markdownTable = ({ caption, heads, rows }: ReportTable): string =>
  [
    `**${plain(caption)}**`,
    "",
    line(heads),
    line(heads.map(() => "---")),
    ...rows.map((row) => line(row.map(plain)))
  ].join("\n")

/** A report as Markdown. */
export const reportMarkdown = ({ says, sections, title }: Report): string =>
  [
    `# ${plain(title)}`,
    `${plain(says)}.`,
    ...sections.flatMap((section) => [
      `## ${plain(section.title)}`,
      ...section.says.map((sentence) => `- ${plain(sentence)}`),
      ...section.tables.map(markdownTable)
    ])
  ].join("\n\n") + "\n"
