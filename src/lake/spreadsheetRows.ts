import { Effect } from "effect"
import type { Session } from "./Lake.ts"

/** A spreadsheet runs a cell that begins so, whatever the file says of it; a number with its sign stays one. */
const macro = String.raw`create or replace temp macro for_spreadsheet(cell) as case
  when regexp_matches(cell::varchar, '^[-+=@\t\r\n＝＋－＠]')
    and not regexp_full_match(cell::varchar, '[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?')
  then '''' || cell::varchar else cell::varchar end`

/** A query's rows as a spreadsheet may open them: a cell that it would run begins with an apostrophe. */
export const spreadsheetRows = (session: Session, query: string) =>
  Effect.as(session.run("Prepare the cells", macro), `select for_spreadsheet(columns(*)) from (${query}\n)`)
