import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "./Lake.ts"

/** Formats a value of DuckDB as the text of a cell; null if it is null. */
export const cellText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** Formats a line of CSV by RFC 4180: null is empty, empty text is `""`. */
export const csvLine = (cells: ReadonlyArray<string | null>): string => `${cells.map(csvCell).join(",")}\r\n`

const csvCell = (text: string | null): string => {
  if (text === null) return ""
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Matches cells that a spreadsheet would execute, quoted or not; signed numbers are exempt. SQL has the same rule. */
const runs = String.raw`^[-+=@\t\r\n＝＋－＠]`
const number = "^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$"

const macro = `create or replace temp macro for_spreadsheet(cell) as case
  when regexp_matches(cell::varchar, '${runs}') and not regexp_matches(cell::varchar, '${number}')
  then '''' || cell::varchar else cell::varchar end`

const runsHere = new RegExp(runs)
const numberHere = new RegExp(number)

/** Prefixes a cell with an apostrophe if a spreadsheet would execute it. */
export const spreadsheetCell = (cell: string): string =>
  runsHere.test(cell) && !numberHere.test(cell) ? `'${cell}` : cell

/** Formats the header line. Excel detects UTF-8 only by a byte order mark. */
export const spreadsheetHead = (names: ReadonlyArray<string>): string => `\ufeff${csvLine(names.map(spreadsheetCell))}`

/** Writes a query's rows as CSV for a spreadsheet; returns the row count. */
export const writeSpreadsheet = Effect.fnUntraced(function* (session: Session, query: string, file: string) {
  yield* session.run("Prepare the cells", macro)
  const columns = yield* session.rows("Read the columns", `describe from (${query}\n)`)
  const head = spreadsheetHead(columns.map((column) => String(column["column_name"]))).replace(/\r\n$/, "\n")
  const [row] = yield* session.rows(
    "Write the rows",
    `copy (select for_spreadsheet(columns(*)) from (${query}\n)) to ${sqlText(file)}
       (format csv, header false, prefix ${sqlText(head)}, suffix e'\\n')`
  )
  const rows = Number(row?.["Count"] ?? 0)
  // The suffix ends the last row; without rows it would add an empty line.
  if (rows === 0) yield* lakeStep("Write the header", (disk) => disk.write(file, head))
  return rows
})
