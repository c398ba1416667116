import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { changedWords } from "../../notes/changedWords.ts"
import { type NoteColumn, type NoteSection, type NoteSectionName, noteSections } from "../../notes/noteSections.ts"
import { writeCaption, countItems } from "../../notes/notesDocument.ts"
import { productsNamed, type Difference } from "../../notes/readReleaseNotes.ts"
import { html, type Html } from "../../pages/html.ts"
import { addressWith, type PageRequest } from "../PageRequest.ts"
import { type Column, sortableTable, type TableOrder, counted, move, productCell } from "../dataTable.ts"
import type { LakeView, Row, SourceNames } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { itemAddress } from "./differenceLists.ts"

interface NoteTables {
  readonly gameId: string
  readonly difference: Difference
  readonly rows: LakeView["rows"]
}

/** The number of lines of a section on the page of all sections. */
const linesShown = 10

/** The sections of the release notes that have lines: the first lines of each, and a link to all. */
export const noteLists = Effect.fnUntraced(function* (request: PageRequest, { gameId, rows, difference }: NoteTables) {
  const lists = yield* Effect.forEach(
    difference.sections,
    Effect.fnUntraced(function* (section) {
      const { section: name, total } = section
      const { line, title }: NoteSection = noteSections[name]
      const { columns, order, sql } = describeList(request.lake.sources, gameId, name)
      const lines = yield* rows(`List section ${name}`, `from (${sql}) order by ${order} limit ${linesShown}`)
      const shown = columns.filter((column) => lines.some((line) => hasText(column, line)))
      return html`<section class="${name}" id="${name}">
        <h2>${title} <small>${countItems(section)}</small></h2>
        ${sortableTable({ caption: writeCaption(difference, name), columns: shown, rows: lines, order: firstColumn(order, columns) })}
        ${
          total > lines.length &&
          html`<p class="pager">
            <a href="${addressWith(request, { show: name, page: null, sort: null })}"
              >All ${line === undefined ? counted(total) : formatAmount(total, line)}</a
            >
          </p>`
        }
      </section>`
    })
  )
  return lists.length === 0 ? html`<p class="empty">No changes.</p>` : html`${lists}`
})

/** The paginated list of all lines of one section. */
export const noteList = (
  request: PageRequest,
  { gameId, rows }: NoteTables,
  name: NoteSectionName
): ReturnType<typeof listing> => {
  const { columns, order, sql } = describeList(request.lake.sources, gameId, name)
  const [, ...ties] = order.split(", ")
  const { by, down } = firstColumn(order, columns)
  const { says, title }: NoteSection = noteSections[name]
  return listing(
    request,
    {
      caption: `${title}: ${says}`,
      sql,
      parameters: {},
      columns,
      order: by,
      down,
      key: ties,
      empty: "No changes of this kind."
    },
    rows
  )
}

/** Returns the column that an SQL order begins with. */
const firstColumn = (order: string, columns: ReadonlyArray<Column>): TableOrder => {
  const [first = "id"] = order.split(", ")
  const by = first.replace(" desc", "")
  const sorted = columns.find(({ sortedBy }) => sortedBy?.[0] === by)
  return { by: sorted?.name ?? by, down: first.endsWith(" desc") }
}

/** Links to the sections that have lines. */
export const contents = (request: PageRequest, { difference }: NoteTables): Html =>
  html`<nav class="switch" aria-label="Kinds of change">
    ${difference.sections.map(
      ({ deployments, expansions, products, section }) =>
        html`<a href="${addressWith(request, { show: null, page: null, sort: null })}#${section}"
          >${noteSections[section].title} ${counted(products + expansions + deployments)}</a
        >`
    )}
  </nav>`

const hasText = ({ name }: Column, line: Row): boolean => (line[name] ?? "") !== ""

const describeList = (sources: SourceNames, gameId: string, name: NoteSectionName) => {
  const { columns, order, unnamed }: NoteSection = noteSections[name]
  if (unnamed !== true)
    return {
      columns: columns.filter(hasOwnCell).map(showColumn(sources, gameId)),
      order,
      sql: `select * from note_${name}`
    }
  return {
    columns: priced(sources, gameId, name),
    order,
    sql: `select n.* ${name === "moves" ? "replace (round(try_cast(n.percent as decimal(38, 10)), 2)::double as percent)" : ""}, p.name, p."set", p."number"
      from note_${name} n join (${productsNamed}) p using (id)`
  }
}

/** The currency of a market value is in its cell. */
const hasOwnCell = ({ name }: NoteColumn, _: number, all: ReadonlyArray<NoteColumn>): boolean =>
  name !== "currency" || all.every((column) => column.name !== "market_value")

const shapes = { text: "text", name: "text", id: "id", code: "code", figure: "exact", signed: "exact" } as const

const showColumn =
  ({ titles }: SourceNames, gameId: string) =>
  ({ label, name, shape }: NoteColumn): Column => {
    if (name === "market_value") return { name, label, shape: "price" }
    const column = { name, label, shape: shapes[shape], isWide: shape === "id" }
    if (name === "source" || name === "system" || name === "known_by") {
      return {
        ...column,
        shows: (row) =>
          String(row[name] ?? "")
            .split(", ")
            .map((word) => sourceTitle(titles, word))
            .join(", ")
      }
    }
    if (name === "old" || name === "new") {
      return { ...column, shows: (row) => changedWords(row["field"], row["old"], row["new"])[name] }
    }
    // A pair has two products; the link leads to the new one.
    const id = name === "new_name" || name === "new_id" ? "new_id" : "id"
    if (!["name", "new_name", "id", "new_id"].includes(name)) return column
    return { ...column, link: (row) => itemAddress(gameId, row["entity"] ?? "product", row[id] ?? row["id"]) }
  }

/** The columns of moved or vanished prices. The card is a single cell, so that a phone shows its price, too. */
const priced = ({ titles }: SourceNames, gameId: string, name: NoteSectionName): ReadonlyArray<Column> => [
  {
    name: "name",
    label: "name",
    shows: (row) =>
      productCell(itemAddress(gameId, "product", row["id"]) ?? "", row["name"], [
        row["set"],
        row["number"],
        row["finish"],
        sourceTitle(titles, String(row["source"]))
      ])
  },
  { name: "old", label: name === "moves" ? "old" : "last price", shape: "price" },
  ...(name === "moves"
    ? ([
        { name: "new", label: "new", shape: "price" },
        {
          name: "change",
          label: "change",
          sortedBy: ["size"],
          shape: "move",
          shows: (row: Row) => move(String(row["change"]).replace("+", ""), row["currency"])
        },
        { name: "percent", label: "percent", shape: "percent" },
        { name: "trust", label: "trust" }
      ] as const)
    : ([{ name: "figure", label: "figure" }] as const))
]
