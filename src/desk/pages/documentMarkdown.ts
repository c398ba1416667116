import { grouped } from "../../store/diff/formatAmount.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import {
  type Document,
  type DocumentBlock,
  type DocumentSection,
  type DocumentTable,
  maxTextLength,
  type Sentence,
  sentenceParts
} from "./document.ts"

/** Renders a document as GitHub-flavoured Markdown. */
export const documentMarkdown = ({ foot = "", intro, sections, title }: Document): string =>
  [`# ${paragraph(title)}`, ...intro.map(block), ...sections.flatMap(section), paragraph(foot)]
    .filter((part) => part !== "")
    .join("\n\n")

const block = (one: DocumentBlock): string => {
  if ("drawing" in one) return one.table === undefined ? "" : table(one.table)
  const text = paragraph(one.sentence)
  return one.isStrong === true && text !== "" ? `**${text}**` : text
}

const section = ({ amount, more = 0, says, tables, title }: DocumentSection): ReadonlyArray<string> => [
  `## ${plain(title)}${amount === undefined ? "" : `: ${amount}`}`,
  ...(says.length > 1 ? [says.map((sentence) => `- ${paragraph(sentence)}`).join("\n")] : says.map(paragraph)),
  ...tables.flatMap((one) => [one.caption === "" ? "" : `**${plain(one.caption)}**`, table(one)]),
  more > 0 ? `… and ${grouped(more)} more` : ""
]

const paragraph = (sentence: Sentence): string =>
  sentenceParts(sentence)
    .map((part) => (typeof part === "string" ? plain(part) : code(shownText(part.code, maxTextLength))))
    .join("")

const table = ({ columns, rows }: DocumentTable): string =>
  [
    columns.map(({ label }) => plain(label)),
    columns.map(({ shape }) => (shape === "figure" || shape === "signed" ? "---:" : "---")),
    ...rows.map((row) => row.map((cell) => plain(shownText(cell, maxTextLength))))
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** Addresses, mentions and issue numbers, which become links in any text outside code, escaped or not. */
const linking = /:\/\/|www\.|@|#\d|\bGH-\d/i

/** Special characters. `&` begins an entity only before a letter or `#`; a single `$` begins no formula. */
const marks = /[\\`*_[\]<>|~#]|&(?=[#\p{L}])|\$(?=.*\$)/gu

/** Escapes a text, because a card may be called `_____`, `<b>`, `a | b` or `@everyone`. */
const plain = (text: string): string => {
  const shown = shownText(text)
  return linking.test(shown) ? code(shown) : shown.replaceAll(marks, String.raw`\$&`)
}

/** Formats a text as code, between more backticks than the text has in a row. */
const code = (text: string): string => {
  const ticks = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(ticks + 1)
  const space = ticks > 0 ? " " : ""
  return `${fence}${space}${text.replaceAll("|", String.raw`\|`)}${space}${fence}`
}
