import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { formatNames, formats } from "../../src/warehouse/formats.ts"
import {
  dayFlag,
  destinationFlag,
  home,
  json,
  optionalText,
  switchFlag,
  textArgument,
  textFlag
} from "./sharedFlags.ts"

const tableTitles = formats
  .filter(({ tables }) => tables !== null)
  .map(({ title }) => title)
  .join(", ")
  .replace(/, (\w+)$/, " or $1")

/** What `cardlake export` takes. */
export const exportFlags = {
  games: textArgument("game").pipe(
    Argument.withDescription("Game ids; default: every game of the lake"),
    Argument.variadic()
  ),
  to: destinationFlag("to", "A folder, or s3://bucket/prefix"),
  tables: textFlag("table", "TABLE").pipe(
    Flag.withDescription("A table, as often as you like; default: every table"),
    Flag.atLeast(0)
  ),
  since: dayFlag(
    "since",
    "Nights from this day on, UTC; default: from the first day of the drop, at first the last. With --sql also auto: what differs from --loaded",
    ["auto"]
  ),
  until: dayFlag("until", "Nights up to this day, UTC"),
  backfill: switchFlag("backfill", "Every night of the history"),
  compression: Flag.Literals("compression", ["snappy", "zstd"]).pipe(
    Flag.withDescription("Every reader knows snappy; zstd is smaller"),
    Flag.withDefault("snappy")
  ),
  decimals: Flag.Literals("decimals", ["exact", "text"]).pipe(
    Flag.withDescription(
      "Money and times as DECIMAL and TIMESTAMP, or as exact text for readers that stumble over them; default: as the drop has it"
    ),
    Flag.optional
  ),
  format: Flag.Literals("format", formatNames).pipe(
    Flag.withDescription(
      `Plain Parquet, or ${tableTitles} tables with time travel; default: as the drop has it, in a new one files`
    ),
    Flag.optional
  ),
  verify: switchFlag(
    "verify",
    "Export nothing: read everything back and compare it with the manifests; the next export repairs what is wrong"
  ),
  compact: switchFlag(
    "compact",
    `Export nothing: join the files of past months of ${tableTitles} tables, in one commit a table that changes no row`
  ),
  sql: Flag.Literals("sql", [
    "bigquery",
    "snowflake",
    "redshift",
    "athena",
    "databricks",
    "trino",
    "clickhouse",
    "postgres",
    "duckdb"
  ]).pipe(
    Flag.withDescription("Export nothing: print the script that loads the drop there, from --since on, up to --until"),
    Flag.optional
  ),
  loaded: optionalText("loaded", "FILE", "With --since auto: the warehouse's table cardlake_loaded as CSV"),
  dbt: optionalText(
    "dbt",
    "DIR",
    "Export nothing: write a dbt source with staging models, marts and tests into this dbt project"
  ),
  home,
  json
}

/** The flags of an export as they were given. */
type Asked = Command.Command.Config.Infer<typeof exportFlags>

/** Warehouses whose queries read the drop's files. */
const inPlace: ReadonlySet<string | null> = new Set(["athena", "trino"])

/** Why what was asked of `cardlake export` does not go together, with the next step; null: it does. */
export const exportFault = (asked: Asked): string | null => {
  const { backfill, compact, dbt, decimals, format, games, loaded, since, sql, tables, to, until, verify } = asked
  const engine = Option.getOrNull(sql)
  const isAuto = Option.getOrNull(since) === "auto"
  if (!isAuto && Option.isSome(since) && Option.isSome(until) && since.value > until.value)
    return `--since ${since.value} is after --until ${until.value}. Give the earlier day as --since`
  const keptFault = formats.find(({ name }) => name === Option.getOrNull(format))?.fault(to) ?? null
  if (keptFault !== null) return keptFault
  if (isAuto !== Option.isSome(loaded))
    return "--since auto and --loaded FILE go together, with --sql: the file is the warehouse's table cardlake_loaded as CSV"
  if (isAuto && engine === null) return "--since auto is for --sql. Give a day such as 2026-05-01"
  if (isAuto && inPlace.has(engine))
    return `Tables in ${engine} read the drop's files, and nothing is loaded. Leave out --since and --loaded`
  const [instead, another] = namesOf({
    "--verify": verify,
    "--compact": compact,
    "--sql": Option.isSome(sql),
    "--dbt": Option.isSome(dbt)
  })
  if (instead === undefined) return null
  if (another !== undefined) return `${instead} and ${another} are two commands. Run one after the other`
  const unread = namesOf({
    "the games": games.length > 0,
    "--table": tables.length > 0,
    "--since": instead !== "--sql" && Option.isSome(since),
    "--until": (engine === null || inPlace.has(engine)) && Option.isSome(until),
    "--backfill": backfill,
    "--decimals": Option.isSome(decimals),
    "--format": Option.isSome(format)
  })
  return unread.length === 0 ? null : `${instead} is for a whole drop. Leave out ${unread.join(", ")}`
}

const namesOf = (given: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []))
