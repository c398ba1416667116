import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { textArgument, textFlag } from "./flags/filledText.ts"
import { amountOf } from "../src/diff/amountOf.ts"
import { printAnswer, printFault, printRows } from "./print/printAnswer.ts"
import { home, json, spreadsheet } from "./flags/sharedFlags.ts"
import { Stopped } from "./print/Stopped.ts"

const sql = textArgument("sql").pipe(Argument.withDescription("One SQL query over the lake's tables"))
const csv = Flag.Boolean("csv").pipe(
  Flag.withDescription("Print CSV with a header line, every text exactly as the feed has it"),
  Flag.withDefault(false)
)
const parquet = textFlag("parquet", "FILE").pipe(
  Flag.withDescription("Write the result to a Parquet file instead"),
  Flag.optional
)
const allowFiles = Flag.Boolean("allow-files").pipe(
  Flag.withDescription("Let the query read and write files, and do whatever else DuckDB can"),
  Flag.withDefault(false)
)

/** Why a file cannot be for Parquet: its name promises another format. Null: it can. */
const nameFault = (file: string): string | null => {
  const [ending, format = ""] = /\.(csv|tsv|txt|json|jsonl|ndjson|xlsx?)(?:\.gz)?$/i.exec(file) ?? []
  if (ending === undefined) return null
  const named = `--parquet writes Parquet, but ${file} has another format's name. Name it ${file.slice(0, -ending.length)}.parquet`
  return ending === ".csv" || ending === ".json" ? `${named}, or replace --parquet by: --${format} > ${file}` : named
}

/** Asks the lake. Every figure is printed exactly as the lake holds it. */
export const query = Command.make(
  "query",
  { sql, home, json, csv, spreadsheet, parquet, allowFiles },
  Effect.fnUntraced(
    function* ({ allowFiles, csv, json, parquet, spreadsheet, sql }) {
      if ([json && Option.isNone(parquet), csv, Option.isSome(parquet)].filter(Boolean).length > 1) {
        yield* printFault("Choose one of --json, --csv and --parquet FILE")
        return yield* new Stopped({ code: 2 })
      }
      if (spreadsheet && !csv) {
        yield* printFault("--spreadsheet is for CSV. Add --csv")
        return yield* new Stopped({ code: 2 })
      }
      const fault = Option.isSome(parquet) ? nameFault(parquet.value) : null
      if (fault !== null) {
        yield* printFault(fault)
        return yield* new Stopped({ code: 2 })
      }
      const { printQuery, queryTable, writeQuery } = yield* Effect.promise(() => import("./lake/runQuery.ts"))
      if (Option.isSome(parquet)) {
        const { outsideHomes } = yield* Effect.promise(() => import("../src/home/OutputInHome.ts"))
        yield* outsideHomes(parquet.value)
        const rows = yield* writeQuery(sql, { file: parquet.value, format: "parquet" }, { allowFiles })
        yield* printAnswer(
          json,
          { file: parquet.value, rows },
          ({ file, rows }) => `${amountOf(rows, "row")} in ${file}`
        )
      } else if (json || csv) {
        yield* printQuery(sql, json ? "json" : spreadsheet ? "spreadsheet" : "csv", { allowFiles })
      } else {
        yield* printRows(yield* queryTable(sql, { allowFiles }))
      }
    },
    // DuckDB points below the query at what it does not understand.
    Effect.catchTag("QueryRefused", ({ message }) =>
      Effect.andThen(printFault(...message.split("\n")), Effect.fail(new Stopped({ code: 1 })))
    )
  )
).pipe(
  Command.withDescription("Query the lake in SQL: print a readable table, exact JSON or CSV, or write a Parquet file"),
  Command.withExamples([
    { command: 'cardlake query "from snapshots"', description: "What is published" },
    {
      command: 'cardlake query --csv "select name, low from products join source_prices using (game_id, product_id)"',
      description: "Lowest prices as CSV"
    },
    {
      command: 'cardlake query --parquet /tmp/changes.parquet "from changes"',
      description: "A result for another tool"
    },
    {
      command: `cardlake query --allow-files "from products semi join 'mine.csv' using (product_id)"`,
      description: "The lake beside a file of your own"
    }
  ])
)
