import { shownText } from "../../../feed/contract/shownText.ts"
import type { Report, ReportTable } from "./Report.ts"

/** A text of the feed in Markdown: no sign of it means anything. */
const plain = (text: string): string =>
  shownText(text.replaceAll(/\s+/g, " ")).replaceAll(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`)

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = ({ caption, heads, rows }: ReportTable): string =>
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
      ...section.tables.map(table)
    ])
  ].join("\n\n") + "\n"
