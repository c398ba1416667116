import * as Option from "effect/Option"
import { formats } from "../../src/warehouse/formats.ts"

/** What `cardlake export` was asked for. */
interface Asked {
  readonly to: string
  readonly games: ReadonlyArray<string>
  readonly tables: ReadonlyArray<string>
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly backfill: boolean
  readonly decimals: Option.Option<string>
  readonly format: Option.Option<string>
  readonly verify: boolean
  readonly compact: boolean
  readonly sql: Option.Option<string>
  readonly loaded: Option.Option<string>
  readonly dbt: Option.Option<string>
}

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
