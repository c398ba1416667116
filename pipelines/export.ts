import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { exportFault, exportFlags } from "./flags/exportFlags.ts"
import { inLake, reading, withoutLake } from "./flags/inLake.ts"
import { isStartedByNpm } from "./print/hints.ts"
import { printAnswer, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"

/** Keeps a folder or bucket of Parquet, by table, game and day, in the state of the lake. */
export const exporting = Command.make(
  "export",
  exportFlags,
  Effect.fnUntraced(function* (asked) {
    const fault = exportFault(asked)
    if (fault !== null) {
      return yield* wrongUsage(fault)
    }
    const { backfill, compact, compression, dbt, decimals, format, games, json, loaded, sql, tables, to, verify } =
      asked
    const since = Option.getOrNull(asked.since)
    const until = Option.getOrNull(asked.until)
    const { exportedText, verifiedText } = yield* Effect.promise(() => import("./print/exportText.ts"))
    if (verify) {
      const { verifyDrop } = yield* Effect.promise(() => import("../src/warehouse/verifyDrop.ts"))
      const read = yield* showWork({ what: "Reading back", json })(withoutLake(verifyDrop(to)))
      yield* printAnswer(json, read, verifiedText)
      if (read.faults.length > 0) return yield* new Stopped({ code: 1 })
      return
    }
    if (compact) {
      const { compactDrop } = yield* Effect.promise(() => import("../src/warehouse/compactDrop.ts"))
      const { compactedText } = yield* Effect.promise(() => import("./print/exportText.ts"))
      const done = yield* showWork({ what: "Compacting", json })(withoutLake(compactDrop(to)))
      yield* printAnswer(json, done, compactedText)
      if (done.leftAlone.length > 0) return yield* new Stopped({ code: 4 })
      return
    }
    if (Option.isSome(sql)) {
      const { loadScript } = yield* Effect.promise(() => import("../src/warehouse/engines/loadScript.ts"))
      const { readLoaded } = yield* Effect.promise(() => import("../src/warehouse/engines/planLoad.ts"))
      const had = Option.isSome(loaded) ? yield* readLoaded(loaded.value) : null
      const script = yield* withoutLake(
        loadScript(to, sql.value, { since: had === null ? since : null, until, loaded: had })
      )
      return yield* Console.log((yield* isStartedByNpm) ? script : script.replaceAll("'npx cardlake ", "'cardlake "))
    }
    if (Option.isSome(dbt)) {
      const { writeDbt } = yield* Effect.promise(() => import("../src/warehouse/engines/dbtProject.ts"))
      const { amountOf } = yield* Effect.promise(() => import("../src/store/diff/amountOf.ts"))
      const written = yield* withoutLake(writeDbt(to, dbt.value))
      return yield* printAnswer(json, written, ({ files, folder }) => `${amountOf(files.length, "file")} in ${folder}`)
    }
    const { exportWithLineage } = yield* Effect.promise(() => import("../src/night/observe/lineage/exportLineage.ts"))
    const span = { since, until, backfill }
    const kind = { decimals: Option.getOrNull(decimals), format: Option.getOrNull(format) }
    const done = yield* showWork({ what: "Exporting", json })(
      inLake(asked, reading("all"), () => exportWithLineage({ to, games, tables, span, compression, ...kind }))
    )
    yield* printAnswer(json, done, exportedText)
    const { leftAloneBy } = yield* Effect.promise(() => import("../src/warehouse/leftAloneBy.ts"))
    if (leftAloneBy(done).length > 0) return yield* new Stopped({ code: 4 })
  })
).pipe(
  Command.withDescription(
    "Write the lake's tables as Parquet for a warehouse, one partition per game and day; later runs write only what is new"
  ),
  Command.withExamples([
    {
      command: "cardlake export --to /srv/drop",
      description: "What is new since the last export; at first the last night"
    },
    { command: "cardlake export --to /srv/drop --backfill", description: "Every night of the history" },
    {
      command: "cardlake export magic --to /srv/drop --table products --table source_prices --since 2026-05-01",
      description: "Two tables of a game from a day on"
    },
    { command: "cardlake export --to /srv/drop --sql duckdb", description: "The script that loads it into DuckDB" },
    {
      command: "cardlake export --to /srv/drop --sql duckdb --since auto --loaded /tmp/loaded.csv",
      description: "The script that loads what the warehouse does not have yet"
    },
    { command: "cardlake export --to /srv/drop --verify", description: "Compare every file with its manifest" },
    {
      command: "cardlake export --to /srv/tables --compact",
      description: "Few large files for the past months of Iceberg, Delta or DuckLake tables"
    }
  ])
)
