import type { Effect } from "effect"
import { grouped } from "../../src/store/diff/amountOf.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { columnsOf, type NoteColumn, noteSections } from "../../src/desk/notes/noteSections.ts"
import {
  changelogSentence,
  heldSentence,
  identitiesSentence,
  itemsOf,
  titled,
  titledSections
} from "../../src/desk/notes/noteWords.ts"
import type { NoteLine, ToldSection } from "../../src/desk/notes/ReleaseNotes.ts"
import type { runDiff } from "../../src/night/run/runDiff.ts"
import { type TableForm, textTable } from "../../src/night/observe/textTable.ts"
import { notesHtml } from "../../src/desk/notes/notesHtml.ts"
import { notesMarkdown } from "../../src/desk/notes/notesMarkdown.ts"

type Found = Effect.Success<ReturnType<typeof runDiff>>

/** The difference for a person: counts first, then the first rows of each kind. */
export const diffText = (found: Found, form: TableForm = {}): string => {
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
    ...(found.held === undefined ? [] : [shownText(heldSentence(found))]),
    counts,
    changelogSentence(found),
    ...(identities === "" ? [] : [identities]),
    ...list("Catalogue", plain("entity", "id", "name", "change", "field", "old", "new"), {
      rows: titled(found, found.catalogue),
      form
    }),
    ...list(
      "Largest moves of market value",
      plain("id", "name", "finish", "source", "old", "new", "currency", "moved"),
      { rows: titled(found, found.prices), form }
    ),
    ...titledSections(found).flatMap((section) => told(section, form))
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

const told = (section: ToldSection, form: TableForm) => {
  const columns = columnsOf(section.section, section.lines)
  const more = section.total - section.lines.length
  return [
    ...list(`${noteSections[section.section].title}: ${itemsOf(section)}`, columns, { rows: section.lines, form }),
    ...(more > 0 ? [`… and ${grouped(more)} more`] : [])
  ]
}

/** Columns under their own names. */
const plain = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, label: name }))

const list = (
  title: string,
  columns: ReadonlyArray<Pick<NoteColumn, "name" | "label">>,
  { form, rows }: { readonly rows: ReadonlyArray<NoteLine>; readonly form: TableForm }
) =>
  rows.length === 0
    ? []
    : [
        "",
        title,
        textTable(
          columns.map(({ label }) => label),
          rows.map((row) => columns.map(({ name }) => row[name] ?? null)),
          { leaveOut: ["id", "finish", "source", "entity"], ...form }
        )
      ]

/** A difference as each format has it that is printed at once. */
export const diffPrinted = {
  table: diffText,
  json: (found) => JSON.stringify(found),
  markdown: notesMarkdown,
  html: notesHtml
} satisfies Readonly<Record<string, (found: Found, form?: TableForm) => string>>
