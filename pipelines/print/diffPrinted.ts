import type { Effect } from "effect"
import { grouped } from "../../src/diff/amountOf.ts"
import { shownText } from "../../src/contract/shownText.ts"
import { columnsOf, type NoteColumn, noteSections } from "../../src/notes/noteSections.ts"
import { changelogSentence, identitiesSentence, itemsOf } from "../../src/notes/noteWords.ts"
import { titled, titledSections } from "../../src/notes/noteTitles.ts"
import type { NoteLine, ToldSection } from "../../src/notes/ReleaseNotes.ts"
import type { runDiff } from "../../src/run/runDiff.ts"
import { textTable } from "../../src/observe/textTable.ts"
import { notesHtml } from "../../src/notes/notesHtml.ts"
import { notesMarkdown } from "../../src/notes/notesMarkdown.ts"

type Found = Effect.Success<ReturnType<typeof runDiff>>

/** The difference for a person: counts first, then the first rows of each kind. */
export const diffText = (found: Found): string => {
  const { expansions, products } = found.changes
  const counts = textTable(
    ["", "added", "removed", "modified", "in the catalogue", "in prices"],
    [countsRow("products", products), countsRow("expansions", expansions)]
  )
  const identities = identitiesSentence(found)
  return [
    shownText(
      `${found.gameId}: ${found.from} (${found.fromDeployment ?? "no deployment"}) → ${found.to} (${found.toDeployment ?? "no deployment"})`
    ),
    counts,
    changelogSentence(found),
    ...(identities === "" ? [] : [identities]),
    ...list("Catalogue", plain("entity", "id", "name", "change", "field", "old", "new"), found.catalogue),
    ...list(
      "Largest moves of market value",
      plain("id", "name", "finish", "source", "old", "new", "currency", "moved"),
      titled(found, found.prices)
    ),
    ...titledSections(found).flatMap(told)
  ].join("\n")
}

const countsRow = (name: string, counted: Found["changes"]["products"]) => [
  name,
  grouped(counted.added),
  grouped(counted.removed),
  grouped(counted.modified),
  grouped(counted.modifiedCatalogue),
  grouped(counted.modifiedPrice)
]

const told = (section: ToldSection) => {
  const columns = columnsOf(section.section, section.lines)
  const more = section.total - section.lines.length
  return [
    ...list(`${noteSections[section.section].title}: ${itemsOf(section)}`, columns, section.lines),
    ...(more > 0 ? [`… and ${grouped(more)} more`] : [])
  ]
}

/** Columns under their own names. */
const plain = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, label: name }))

const list = (
  title: string,
  columns: ReadonlyArray<Pick<NoteColumn, "name" | "label">>,
  rows: ReadonlyArray<NoteLine>
) =>
  rows.length === 0
    ? []
    : [
        "",
        title,
        textTable(
          columns.map(({ label }) => label),
          rows.map((row) => columns.map(({ name }) => short(row[name] ?? null)))
        )
      ]

const short = (text: string | null) => (text === null ? null : shownText(text, 48))

/** A difference as each format has it that is printed at once. */
export const diffPrinted = {
  table: diffText,
  json: (found) => JSON.stringify(found),
  markdown: notesMarkdown,
  html: notesHtml
} satisfies Readonly<Record<string, (found: Found) => string>>
