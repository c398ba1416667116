import * as Option from "effect/Option"
import { isBucket } from "../../src/export/destination/isBucket.ts"

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
  readonly sql: Option.Option<string>
  readonly dbt: Option.Option<string>
}

/** Why what was asked of `cardlake export` does not go together, with the next step; null: it does. */
export const exportFault = (asked: Asked): string | null => {
  const { backfill, dbt, decimals, format, games, since, sql, tables, to, until, verify } = asked
  if (Option.isSome(since) && Option.isSome(until) && since.value > until.value)
    return `--since ${since.value} is after --until ${until.value}. Give the earlier day as --since`
  if (Option.getOrNull(format) === "ducklake" && isBucket(to))
    return "A DuckLake has its catalogue in a database, which a bucket cannot be. Export it to a folder, or give --format iceberg or delta"
  const [instead, another] = namesOf({ "--verify": verify, "--sql": Option.isSome(sql), "--dbt": Option.isSome(dbt) })
  if (instead === undefined) return null
  if (another !== undefined) return `${instead} and ${another} are two commands. Run one after the other`
  const unread = namesOf({
    "the games": games.length > 0,
    "--table": tables.length > 0,
    "--since": instead !== "--sql" && Option.isSome(since),
    "--until": Option.isSome(until),
    "--backfill": backfill,
    "--decimals": Option.isSome(decimals),
    "--format": Option.isSome(format)
  })
  return unread.length === 0 ? null : `${instead} is for a whole drop. Leave out ${unread.join(", ")}`
}

const namesOf = (given: Readonly<Record<string, boolean>>): ReadonlyArray<string> =>
  Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []))
