import { grouped } from "../../store/diff/amountOf.ts"
import { shownText } from "../../feed/contract/shownText.ts"
import { columnsOf, noteSections } from "./noteSections.ts"
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
import type { Difference, ToldSection } from "./ReleaseNotes.ts"

/** The release notes as Markdown (GitHub's, for its tables). */
export const notesMarkdown = (found: Difference): string => {
  const { expansions, products } = found.changes
  return [
    `# ${plain(found.gameName)}: what changed`,
    `From ${point(found.fromDeployment, found.fromDeployedAt, found.from)} to ${point(found.toDeployment, found.toDeployedAt, found.to)}.`,
    found.held === undefined ? "" : `**${plain(heldSentence(found))}**`,
    table(
      ["", "added", "removed", "modified", "in the catalogue", "in prices"],
      [false, true, true, true, true, true],
      [countsRow("products", products), countsRow("expansions", expansions)]
    ),
    identitiesSentence(found),
    `${changelogSentence(found)}.`,
    ...titledSections(found).flatMap((section) => told(found, section))
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const countsRow = (name: string, count: Difference["changes"]["products"]) => [
  name,
  grouped(count.added),
  grouped(count.removed),
  grouped(count.modified),
  grouped(count.modifiedCatalogue),
  grouped(count.modifiedPrice)
]

const point = (deployment: string | null, at: string | null, snapshot: string): string =>
  deployment === null ? `snapshot \`${snapshot}\`` : `${code(shownText(deployment, longest))} (${instant(at)})`

const told = (found: Difference, section: ToldSection): ReadonlyArray<string> => {
  const { says, title } = noteSections[section.section]
  const columns = columnsOf(section.section, section.lines)
  const more = section.total - section.lines.length
  return [
    `## ${title}: ${itemsOf(section)}`,
    section.section === "moves" ? boundsSentence(found) : says,
    table(
      columns.map(({ label }) => label),
      columns.map(({ shape }) => shape === "figure" || shape === "signed"),
      section.lines.map((line) => columns.map(({ name }) => plain(line[name] ?? "")))
    ),
    more > 0 ? `And ${grouped(more)} more; all of them: \`${everyChange(found)}\`` : ""
  ]
}

const table = (
  names: ReadonlyArray<string>,
  figures: ReadonlyArray<boolean>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string =>
  [names, figures.map((figure) => (figure ? "---:" : "---")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** How many letters of a text of the feed are shown. */
const longest = 200

/** Addresses, mentions and numbers of issues become links in any text that is not code, escaped or not. */
const linking = /:\/\/|www\.|@|#\d|\bGH-\d/i

/** Text with no meaning in Markdown: a card may be called `_____`, `<b>`, `a | b` or `@everyone`. */
const plain = (text: string): string => {
  const shown = shownText(text, longest)
  return linking.test(shown) ? code(shown) : shown.replaceAll(/[\\`*_[\]<>|~&#$]/g, String.raw`\$&`)
}

/** As code, between more backticks than the text has in a row. */
const code = (text: string): string => {
  const ticks = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(ticks + 1)
  const space = ticks > 0 ? " " : ""
  return `${fence}${space}${text.replaceAll("|", String.raw`\|`)}${space}${fence}`
}
