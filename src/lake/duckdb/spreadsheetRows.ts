import { Effect } from "effect"
import type { Session } from "./Lake.ts"

/** A spreadsheet runs a cell that starts like this, quoted or not, unless it is a signed number. Same in SQL. */
const runs = String.raw`^[-+=@\t\r\n＝＋－＠]`
const number = "^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$"

const macro = `create or replace temp macro for_spreadsheet(cell) as case
  when regexp_matches(cell::varchar, '${runs}') and not regexp_matches(cell::varchar, '${number}')
  then '''' || cell::varchar else cell::varchar end`

/** A query's rows as a spreadsheet may open them: a cell that it would run begins with an apostrophe. */
export const spreadsheetRows = (session: Session, query: string) =>
  Effect.as(session.run("Prepare the cells", macro), `select for_spreadsheet(columns(*)) from (${query}\n)`)

const runsHere = new RegExp(runs)
const numberHere = new RegExp(number)

/** One cell, as {@link spreadsheetRows} has it. */
export const spreadsheetCell = (cell: string): string =>
  runsHere.test(cell) && !numberHere.test(cell) ? `'${cell}` : cell
