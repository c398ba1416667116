import { join } from "node:path"
import { Console, Effect } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { exportWithLineage } from "../src/night/observe/lineage/exportLineage.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { compactDrop } from "../src/warehouse/compactDrop.ts"
import { dbtWarehouse, writeDbt } from "../src/warehouse/engines/dbtProject.ts"
import { loadScript } from "../src/warehouse/engines/loadScript.ts"
import { readLoaded } from "../src/warehouse/engines/planLoad.ts"
import { formats } from "../src/warehouse/formats.ts"
import { listSkipReasons } from "../src/warehouse/exportDrop.ts"
import { verifyDrop } from "../src/warehouse/verifyDrop.ts"
import { inLake, readNeeds } from "./flags/inHome.ts"
import { compactedText, exportedText, verifiedText } from "./print/exportText.ts"
import { isStartedByNpm } from "./print/hints.ts"
import { printAnswer, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { lakeServicesIfAny, withServices } from "./settings/services.ts"
import type * as specs from "./specs/copies.ts"

/** Warehouses that query the drop's files directly. */
const inPlace: ReadonlySet<string | null> = new Set(["athena", "trino"])

/** Explains why these flags of `cardlake export` cannot be combined, with the next step; null if they can. */
const exportFault = (input: typeof specs.exporting.Input): string | null => {
  const { backfill, compact, dbt, decimals, format, games, loaded, since, sql, tables, to, until, verify } = input
  const isAuto = since === "auto"
  if (!isAuto && since !== null && until !== null && since > until)
    return `--since ${since} is after --until ${until}. Give the earlier day as --since`
  const keptFault = formats.find(({ name }) => name === format)?.fault?.(to) ?? null
  if (keptFault !== null) return keptFault
  if (isAuto !== (loaded !== null))
    return "--since auto, --loaded FILE and --sql need each other: FILE is the warehouse's table cardlake_loaded as CSV"
  if (isAuto && sql === null) return "--since auto needs --sql. Give a day such as 2026-05-01"
  if (isAuto && inPlace.has(sql)) return `${sql} reads the export's files in place. Leave out --since and --loaded`
  const [instead, another] = listNames({
    "--verify": verify,
    "--compact": compact,
    "--sql": sql !== null,
    "--dbt": dbt !== null
  })
  if (instead === undefined) return null
  if (another !== undefined) return `${instead} and ${another} exclude each other. Run one after the other`
  const unread = listNames({
    "the games": games.length > 0,
    "--table": tables.length > 0,
    "--since": instead !== "--sql" && since !== null,
    "--until": (sql === null || inPlace.has(sql)) && until !== null,
    "--backfill": backfill,
    "--decimals": decimals !== null,
    "--format": format !== null
  })
  return unread.length === 0 ? null : `${instead} covers the whole export. Leave out ${unread.join(", ")}`
}

/** Describes the dbt files, and the two commands that load and build them in DuckDB. */
const dbtText = (to: string, folder: string, files: number): string =>
  [
    `${formatAmount(files, "file")} in ${folder}. Next, with dbt-duckdb and DuckDB's command line:`,
    // A shell continues after the pipe.
    `  cardlake export --to ${shellWord(to)} --sql duckdb |`,
    `    duckdb ${shellWord(join(folder, dbtWarehouse))}`,
    `  cd ${shellWord(folder)} && dbt build --profiles-dir .`
  ].join("\n")

const listNames = (given: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []))

/** Services for commands that read only a drop, wherever the home is. */
const withoutLake = withServices(lakeServicesIfAny({ CARDLAKE_HOME: "data/lake" }))

export const exporting = Effect.fnUntraced(function* (input: typeof specs.exporting.Input) {
  const fault = exportFault(input)
  if (fault !== null) return yield* wrongUsage(fault)
  const { backfill, compression, dbt, decimals, format, games, json, loaded, since, sql, tables, to, until } = input
  if (input.verify) {
    const read = yield* showWork({ what: "Reading back", json })(withoutLake(verifyDrop(to)))
    yield* printAnswer(json, read, verifiedText)
    if (read.faults.length > 0) return yield* new Stopped({ code: 1 })
    return
  }
  if (input.compact) {
    const done = yield* showWork({ what: "Compacting", json })(withoutLake(compactDrop(to)))
    yield* printAnswer(json, done, compactedText)
    if (done.leftAlone.length > 0) return yield* new Stopped({ code: 4 })
    return
  }
  if (sql !== null) {
    const had = loaded !== null ? yield* readLoaded(loaded) : null
    const script = yield* withoutLake(loadScript(to, sql, { since: had === null ? since : null, until, loaded: had }))
    return yield* Console.log((yield* isStartedByNpm) ? script : script.replaceAll("'npx cardlake ", "'cardlake "))
  }
  if (dbt !== null) {
    const written = yield* withoutLake(writeDbt(to, dbt))
    return yield* printAnswer(json, written, ({ files, folder }) => dbtText(to, folder, files.length))
  }
  const span = { since, until, backfill }
  const done = yield* showWork({ what: "Exporting", json })(
    inLake(input, readNeeds("all"), () => exportWithLineage({ to, games, tables, span, compression, decimals, format }))
  )
  yield* printAnswer(json, done, exportedText)
  if (listSkipReasons(done).length > 0) return yield* new Stopped({ code: 4 })
})
