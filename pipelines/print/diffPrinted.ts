import type { Effect } from "effect"
import { grouped } from "../../src/store/diff/formatAmount.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { describeCounts, notesDocument, noteSection, titled } from "../../src/desk/notes/notesDocument.ts"
import type { NoteLine } from "../../src/desk/notes/readReleaseNotes.ts"
import {
  type Document,
  type DocumentSection,
  documentTable,
  type Sentence,
  sentenceParts
} from "../../src/desk/pages/document.ts"
import { documentHtml } from "../../src/desk/pages/documentHtml.ts"
import { documentMarkdown } from "../../src/desk/pages/documentMarkdown.ts"
import type { runDiff } from "../../src/night/run/runDiff.ts"
import { type TableForm, textTable } from "../../src/night/observe/textTable.ts"

type Found = Effect.Success<ReturnType<typeof runDiff>>

export const documentText = ({ foot = "", intro, sections, title }: Document, form: TableForm): string => {
  const plain = (sentence: Sentence) =>
    sentenceParts(sentence)
      .map((part) => shownText(typeof part === "string" ? part : part.code))
      .join("")
  const table = ({ caption, columns, rows }: DocumentSection["tables"][number], form: TableForm = {}) => [
    ...(caption === "" ? [] : [shownText(caption)]),
    textTable(
      columns.map(({ label }) => label),
      rows,
      form
    )
  ]
  const head = intro.flatMap((block) =>
    "sentence" in block ? plain(block.sentence) : block.table === undefined ? [] : table(block.table)
  )
  return [
    plain(title),
    ...head.filter((line) => line !== ""),
    ...sections.flatMap(({ amount, more = 0, says, tables, title }) => [
      "",
      shownText(amount === undefined ? title : `${title}: ${amount}`),
      ...says.map(plain),
      ...tables.flatMap((one) => table(one, form)),
      ...(more > 0 ? [`… and ${grouped(more)} more`] : [])
    ]),
    ...(foot === "" ? [] : ["", plain(foot)])
  ].join("\n")
}

/** Describes a difference for people: counts first, then the first rows of each kind. */
const diffDocument = (found: Found): Document => {
  const end = (snapshot: string, deployment: string | null) => `${snapshot} (${deployment ?? "no deployment"})`
  const list = (title: string, names: string, lines: ReadonlyArray<NoteLine>): ReadonlyArray<DocumentSection> => {
    const columns = names.split(" ").map((name) => [name, "text", (line: NoteLine) => line[name] ?? ""] as const)
    return lines.length === 0 ? [] : [{ title, says: [], tables: [documentTable("", columns, titled(found, lines))] }]
  }
  return {
    kicker: "",
    title: `${found.gameId}: ${end(found.from, found.fromDeployment)} → ${end(found.to, found.toDeployment)}`,
    intro: describeCounts(found),
    sections: [
      ...list("Catalogue", "entity id name change field old new", found.catalogue),
      ...list("Largest moves of market value", "id name finish source old new currency moved", found.prices),
      ...found.sections.map((section) => noteSection(found, section, ""))
    ]
  }
}

/** Formatters of a difference, one per output format that is not streamed. */
export const diffPrinted = {
  table: (found, form = {}) =>
    documentText(diffDocument(found), { leaveOut: ["id", "finish", "source", "entity"], ...form }),
  json: (found) => JSON.stringify(found),
  markdown: (found) => documentMarkdown(notesDocument(found)),
  html: (found) => documentHtml(notesDocument(found))
} satisfies Readonly<Record<string, (found: Found, form?: TableForm) => string>>
