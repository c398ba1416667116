import { Effect } from "effect"
import { addressWith, type PageRequest, badRequest, type BadRequest, fileAddress, readNumber } from "./PageRequest.ts"
import { type Column, sortableTable, counted } from "./dataTable.ts"
import { html, type Html, type Shown } from "../pages/html.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { LakeView, Parameters, Row } from "./LakeReader.ts"
import { answerWithFile } from "./FileAnswer.ts"
import { queryNamed } from "./queryNamed.ts"

export const pageRows = 50

/** A paginated list: a query, sorted by a column that the reader chooses. */
export interface Listing {
  readonly caption: string
  readonly sql: string
  readonly parameters: Parameters
  readonly columns: ReadonlyArray<Column>
  /** The column of the initial sort order. */
  readonly order: string
  readonly down?: boolean
  /** Query columns that make a row unique, so that rows with equal sort values keep their order. */
  readonly key: ReadonlyArray<string>
  /** The text for an empty list: the reason and the next step. An effect runs only if the list is empty. */
  readonly empty: Shown | Effect.Effect<Shown, LakeError>
  /** The id of the list's element, if it is not the first on its page; links for sorting and paging lead to it. */
  readonly anchor?: string
}

/**
 * Reads the page of a list that the address names. `sort` is a column, or `-column` for descending order;
 * `page` starts at 1.
 */
export const listing = Effect.fnUntraced(function* (
  request: PageRequest,
  list: Listing,
  rowsOf: LakeView["rows"] = request.lake.rows
) {
  const page = yield* readNumber(request, "page", { absent: 1, least: 1 })
  const { by, down } = yield* readOrder(request, list)
  const sorted = list.columns.find(({ name }) => name === by)?.sortedBy ?? [by]
  const order = sorted.map((expression) => `${expression} ${down ? "desc" : "asc"} nulls last`).join(", ")
  const ties = list.key.map((column) => `, ${column}`).join("")
  const step = `List: ${list.caption}`
  const { parameters, sql } = list
  yield* answerWithFile(request, { step, sql: `select * from (${sql}) order by ${order}${ties}`, parameters, rowsOf })
  const rows = yield* rowsOf(
    step,
    `select *, count(*) over () as all_rows from (${sql}) order by ${order}${ties}
     limit ${pageRows} offset ${(page - 1) * pageRows}`,
    parameters
  )
  const total = Number(rows[0]?.["all_rows"] ?? 0)
  if (rows.length === 0 && page === 1) {
    return html`<p class="empty">${Effect.isEffect(list.empty) ? yield* list.empty : list.empty}</p>`
  }
  if (rows.length === 0) {
    return html`<p class="empty">
      There is no page ${page}. <a href="${addressWith(request, { page: null })}">Go to the first page</a>
    </p>`
  }
  const { anchor = "", caption, columns } = list
  const there = anchor === "" ? "" : `#${anchor}`
  const sortAddress = (column: string, down: boolean) =>
    addressWith(request, { sort: down ? `-${column}` : column, page: null }) + there
  const table = sortableTable({ caption, columns, rows, order: { by, down, addressOf: sortAddress } })
  return html`${table}${pager(request, { page, total, shown: rows.length, there })}`
})

const readOrder = (
  request: PageRequest,
  { columns, down = false, order }: Listing
): Effect.Effect<{ by: string; down: boolean }, BadRequest> => {
  const value = request.query.get("sort") ?? ""
  if (value === "") return Effect.succeed({ by: order, down })
  const by = columns.find(({ name }) => name === value.replace(/^-/, ""))?.name
  return by === undefined
    ? badRequest("sort", value, `one of ${columns.map(({ name }) => name).join(", ")}`)
    : Effect.succeed({ by, down: value.startsWith("-") })
}

/** The range of rows that is shown, and links to the other pages. */
export const pager = (
  request: PageRequest,
  {
    page,
    shown,
    there = "",
    total
  }: { readonly page: number; readonly total: number; readonly shown: number; readonly there?: string },
  [one, many]: readonly [string, string] = ["row", "rows"]
): Html => {
  const first = (page - 1) * pageRows + 1
  const last = first + shown - 1
  const says = html`<span>${counted(first)}–${counted(last)} of ${counted(total)}</span>`
  const files = html`<span
    >Download: <a href="${fileAddress(request, "csv")}">CSV</a> <a href="${fileAddress(request, "json")}">JSON</a></span
  >`
  if (total <= pageRows) {
    return html`<p class="pager"><span>${counted(total)} ${total === 1 ? one : many}</span>${files}</p>`
  }
  const to = (number: number, rel: string, label: string) =>
    html`<a rel="${rel}" href="${addressWith(request, { page: number === 1 ? null : String(number) })}${there}"
      >${label}</a
    >`
  return html`<nav class="pager" aria-label="Pages of the list">
    ${page > 1 && to(page - 1, "prev", "← Previous")}${says}${last < total && to(page + 1, "next", "Next →")}${files}
  </nav>`
}

/** Returns which columns of sets and cards have values anywhere in the game. */
export const filledIn = (request: PageRequest, gameId: string) =>
  Effect.map(
    request.lake.kept(`Read which columns of ${gameId} have values`, queryNamed("expansion/filled"), { game: gameId }),
    ([row]): Row => row ?? {}
  )

/** Returns the columns with values somewhere in the game; `needs` names the shown fact (default: the column). */
export const columnsFilled = (
  columns: ReadonlyArray<Column & { readonly needs?: string }>,
  has: Row
): ReadonlyArray<Column> => columns.filter(({ name, needs }) => has[needs ?? name] !== false)
