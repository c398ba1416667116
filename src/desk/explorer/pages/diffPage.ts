import { Effect } from "effect"
import { changeTiles, differenceCharts } from "../../notes/noteCharts.ts"
import { changelogSentence, identitiesSentence, notesDocument } from "../../notes/notesDocument.ts"
import { addressWith, type PageRequest, readChoice, readGame, type Page } from "../PageRequest.ts"
import { chosenPair, type Comparable, comparableSnapshots } from "../chosenSnapshots.ts"
import { counted, day } from "../dataTable.ts"
import { choiceField, type Field } from "../../pages/chooseForm.ts"
import { choiceLinks, foldedForm } from "../pageChoices.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { changeList, claimList } from "../differences/differenceLists.ts"
import { heldAs, heldNote } from "../differences/heldNote.ts"
import { contents, noteList, noteLists } from "../differences/noteLists.ts"
import { type NoteSectionName, noteSections } from "../../notes/noteSections.ts"
import { documentHtml } from "../../pages/documentHtml.ts"
import { documentMarkdown } from "../../pages/documentMarkdown.ts"
import { FileAnswer, answerWithFile } from "../FileAnswer.ts"

/** The differences between any two snapshots of a game, compared with the changelog. */
export const diffPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const known = yield* comparableSnapshots(request, gameId)
  const title = `${name}: differences`
  if (known.length < 2) {
    const empty = html`<p class="empty">
      A comparison needs two snapshots of ${name}; the lake has ${counted(known.length)}.
      <code>cardlake nightly</code> stores one for every new deployment.
    </p>`
    return { title, body: html`${pageHead(name, "Differences")}${empty}` } satisfies Page
  }
  const pair = yield* chosenPair(request, known)
  const held = yield* heldAs(gameId, pair.to)
  const pageRequest = { ...request, fileOf: `${daysForFile(known, pair)}${held === null ? "" : "-held"}` }
  // A filter in the address selects the list of changes.
  const isChoice = ["entity", "class", "change", "field"].some((name) => pageRequest.query.has(name))
  const show = yield* readChoice(pageRequest, "show", [
    isChoice ? "changes" : "notes",
    "notes",
    "changes",
    "claims",
    ...sectionNames
  ])
  const { difference: compared, rows } = yield* pageRequest.differences.difference({ gameId, ...pair })
  const difference = { gameId, rows, difference: compared }
  if (pageRequest.format === "html" || pageRequest.format === "md") {
    const notes = notesDocument(held === null ? compared : { ...compared, held: held.reasons })
    const print = pageRequest.format === "html" ? documentHtml : documentMarkdown
    return yield* new FileAnswer({ fileOf: pageRequest.fileOf, text: Effect.succeed(print(notes)) })
  }
  if (show === "notes") {
    yield* answerWithFile(pageRequest, { step: "List the changes", sql: everyChange, parameters: {}, rowsOf: rows })
  }
  const shown = yield* show === "changes"
    ? changeList(pageRequest, gameId, rows)
    : show === "claims"
      ? claimList(pageRequest, gameId, rows)
      : Effect.map(
          show === "notes" ? noteLists(pageRequest, difference) : noteList(pageRequest, difference, show),
          (list): ShownList => ({ fields: [], list })
        )
  const form = foldedForm(pageRequest, [...pairFields(known, pair), ...shown.fields], {
    title: shown.fields.length === 0 ? "Compare other snapshots" : "Compare other snapshots, filter",
    kept: show === "notes" ? {} : { show },
    summarized: shown.fields
  })
  const tab = (to: string | null, label: string) =>
    [label, addressWith(pageRequest, { show: to, sort: null, page: null }), show === (to ?? "notes")] as const
  const tabs = [tab(null, "What changed"), tab("changes", "Field by field"), tab("claims", "Changelog")]
  const choice = choiceLinks("Kind of list", tabs)
  const kinds = show === "notes" && compared.sections.length > 0 && contents(pageRequest, difference)
  const body = html`${pageHead(name, "Differences", describeSpan(known, pair))}${held !== null && pageRequest.copy === null && (yield* heldNote(held, known, rows))}${form}${changeTiles(compared)}
    <p class="says">${identitiesSentence(compared)} ${changelogSentence(compared)}.</p>
    ${show === "notes" && compared.sections.length > 0 && differenceCharts(compared)}${downloads(pageRequest, pair)}${choice}${kinds}${shown.list}`
  return { title, body } satisfies Page
})

/** The days of the two snapshots; with times if the days are equal, with ids if the times are equal, too. */
const describeSpan = (known: ReadonlyArray<Comparable>, { from, to }: Pair): string => {
  const [before = "", after = ""] = [from, to].map((one) => known.find(({ snapshot }) => snapshot === one)?.at)
  if (before === after) return `From ${from} to ${to}, both read at ${before}, field by field.`
  const isOneDay = day(before) === day(after)
  return `From ${isOneDay ? before : day(before)} to ${isOneDay ? after : day(after)}, field by field.`
}

/** The days of the two snapshots for a file name; ids if the days are equal. */
const daysForFile = (known: ReadonlyArray<Comparable>, { from, to }: Pair): string => {
  const [before, after] = [from, to].map((one) => day(known.find(({ snapshot }) => snapshot === one)?.at ?? one))
  return before === after ? `${from}-to-${to}` : `${before}-to-${after}`
}

interface Pair {
  readonly from: string
  readonly to: string
}

/** The current list and its filter fields. */
interface ShownList {
  readonly fields: ReadonlyArray<Field>
  readonly list: Html
}

const sectionNames = Object.keys(noteSections) as ReadonlyArray<NoteSectionName>

const everyChange = "select * from changes order by entity, id, field nulls first"

/** Links to download the release notes and the list of changes. */
const downloads = (pageRequest: PageRequest, { from, to }: Pair): Html => {
  const address = (ending: string) => `${pageRequest.path}.${ending}?${new URLSearchParams({ from, to })}`
  return html`<p class="take">
    <span>Download:</span> <a href="${address("html")}">release notes (HTML)</a>
    <a href="${address("md")}">release notes (Markdown)</a> <a href="${address("csv")}">all changes (CSV)</a>
    <a href="${address("json")}">all changes (JSON)</a>
  </p>`
}

const pairFields = (known: ReadonlyArray<Comparable>, pair: Pair): ReadonlyArray<Field> => {
  const options = known.map(({ label, snapshot }) => [snapshot, label] as const)
  return [choiceField("from", "from", pair.from, options), choiceField("to", "to", pair.to, options)]
}
