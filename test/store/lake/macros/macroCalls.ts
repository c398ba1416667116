import { Effect } from "effect"
import { Lake, type Session, sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { ownSql } from "../../../../src/desk/own/Own.ts"
import { LongStory } from "./longStory.ts"

/** A session over a lake and the story's collections, in a time zone. */
export const sessionOver = Effect.fnUntraced(function* (lake: string, zone = "UTC") {
  const session = yield* (yield* Lake).session
  yield* Effect.acquireRelease(
    session.run("Open the lake", `attach ${sqlText(lake)} as lake (read_only); use lake; set TimeZone = '${zone}'`),
    () => Effect.ignore(session.run("Close the lake", "use memory; detach lake; set TimeZone = 'UTC'"))
  )
  yield* session.run("Open the cards", (yield* ownSql) ?? "")
  return session
})

/** Within the story's home. */
export const inStory = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(LongStory, ({ services }) => Effect.provideContext(Effect.scoped(effect), services))

/** The rows of a call or a table, in no order. */
export const rowsOf = (session: Session, call: string) =>
  Effect.map(session.rows(call, `select to_json(t)::varchar as row from ${call} t order by 1`), (rows) =>
    rows.map(({ row }) => String(row))
  )

export interface TableMacro {
  readonly name: string
  readonly parameters: ReadonlyArray<string>
}

/** Every table macro that a session over the lake knows. */
export const tableMacros = Effect.fnUntraced(function* (session: Session) {
  const rows = yield* session.rows(
    "List the macros",
    "select function_name as name, parameters from duckdb_functions() where function_type = 'table_macro' and schema_name = 'main' and not internal order by all"
  )
  return rows.map(({ name, parameters }): TableMacro => ({
    name: String(name),
    parameters: parameters as ReadonlyArray<string>
  }))
})

/** Parameters after which a macro looks at nothing that came later: an instant, or a day. */
export const ends: Readonly<Record<string, "instant" | "day">> = { ts: "instant", until: "day", to_day: "day" }

/** What every other parameter is given, each value once. A macro with a parameter that is missing here fails the tests. */
const given: Readonly<Record<string, ReadonlyArray<string>>> = {
  product: ["null", "2"],
  expansion: ["71"],
  said: ["'moth'"],
  back: ["0"],
  days: ["3", "9"],
  with_history: ["true", "false"],
  source_name: ["'sourceEur'"],
  to_currency: ["'USD'"],
  from_day: ["timestamptz '2026-05-01 12:00:00Z'"],
  constant_day: ["timestamptz '2026-05-02 12:00:00Z'"],
  since: ["null", "timestamptz '2026-05-02 12:00:00Z'"],
  min_price: ["0"],
  max_weeks: ["60"],
  min_days: ["2"],
  slack_hours: ["13"]
}
/** Parameters that say nothing of time, and have a default that the tests leave alone. */
const left = new Set(
  `min_listings by_percent thin_listings stale_readings far_times finish_name tolerance condition_name language_name fee_percent shipping
   fee_in_eu fee_in_na shipping_to_eu shipping_to_na duty_to_eu duty_to_na duty_on_shipping duty_on_shipping_to_eu duty_on_shipping_to_na
   game most per_name skip collection_name first_source`.split(/\s+/)
)

/** Calls of a macro, with `end` (SQL) for what ends it; null = it is left out. */
export const callsOf = (
  { name, parameters }: TableMacro,
  end: (kind: "instant" | "day") => string | null
): ReadonlyArray<string> => {
  const values = parameters.flatMap((parameter) => {
    const kind = ends[parameter]
    const value = kind === undefined ? given[parameter] : [end(kind)].flatMap((one) => one ?? [])
    if (value === undefined && !left.has(parameter)) throw new Error(`${name}: is ${parameter} a point in time?`)
    return value === undefined || value.length === 0 ? [] : [{ parameter, value }]
  })
  const count = Math.max(1, ...values.map(({ value }) => value.length))
  return Array.from({ length: count }, (_, index) => {
    const args = values.map(({ parameter, value }) => {
      return `${parameter} := ${value[Math.min(index, value.length - 1)]}`
    })
    return `${name}(${args.join(", ")})`
  })
}
