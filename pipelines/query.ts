import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { formatNamed, queryFault, queryFlags, queryText } from "./flags/queryFlags.ts"
import { amountOf } from "../src/store/diff/amountOf.ts"
import { printAnswer, printRows, stopWith, wrongUsage } from "./print/printAnswer.ts"

/** Asks the lake. Every figure is printed exactly as the lake holds it. */
export const query = Command.make(
  "query",
  queryFlags,
  Effect.fnUntraced(
    function* (asked) {
      const fault = queryFault(asked)
      if (fault !== null) return yield* wrongUsage(fault)
      const { allowFiles, copy, csv, json, line, output, parquet, spreadsheet } = asked
      const sql = yield* queryText(asked)
      const { printQuery, queryTable, writeQuery } = yield* Effect.promise(() => import("./lake/runQuery.ts"))
      const file = Option.getOrNull(Option.orElse(output, () => parquet))
      if (file !== null) {
        const { outsideHomes } = yield* Effect.promise(() => import("../src/store/home/OutputInHome.ts"))
        yield* outsideHomes(file)
        const format = spreadsheet ? "spreadsheet" : Option.isSome(output) ? (formatNamed(file) ?? "csv") : "parquet"
        const rows = yield* writeQuery(sql, { file, format }, { allowFiles })
        yield* printAnswer(json, { file, rows }, ({ file, rows }) => `${amountOf(rows, "row")} in ${file}`)
      } else if (json || csv || copy) {
        const format = json ? "json" : copy ? "copy" : spreadsheet ? "spreadsheet" : "csv"
        yield* printQuery(sql, format, { allowFiles })
      } else {
        yield* printRows(yield* queryTable(sql, { allowFiles }, line))
      }
    },
    // DuckDB points below the query at what it does not understand.
    Effect.catchTag("QueryRefused", ({ message }) => stopWith(1, "QueryRefused", ...message.split("\n")))
  )
).pipe(
  Command.withDescription("Query the lake in SQL: print a readable table, exact JSON or CSV, or write a file"),
  Command.withExamples([
    { command: 'cardlake query "from snapshots"', description: "What is published" },
    { command: 'cardlake query --line "from products limit 1"', description: "A record as lines, all of it" },
    {
      command: 'cardlake query --csv "select name, low from products join source_prices using (game_id, product_id)"',
      description: "Lowest prices as CSV"
    },
    { command: "cardlake query -f prices.sql -o prices.csv", description: "A query from a file into another file" },
    {
      command: 'cardlake query --output /tmp/changes.parquet "from changes"',
      description: "A result for another tool"
    },
    {
      command: `cardlake query --allow-files "from products semi join 'mine.csv' using (product_id)"`,
      description: "The lake beside a file of your own"
    }
  ])
)
