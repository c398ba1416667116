import { join } from "node:path"
import { Effect } from "effect"
import { backfillPartsOf } from "../../store/home/backfill/BackfillPart.ts"
import { obtained } from "../../feed/reading/StandIns.ts"
import { partsSql, backfillTables } from "../../store/lake/backfill/backfillFiles.ts"
import { scratchSession, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { DropState, readDocument, stateFile } from "./Drop.ts"
import { pastTables } from "./exportTables.ts"
import { type ExportForAll, placeForAll } from "./placeForAll.ts"
import type { Span } from "./planDays.ts"

/** What tells a day's rows from other ones: rows are added, and asked for again where they were lost. */
const sums: Readonly<Record<string, string>> = {
  backfilled_prices: "sum(low), sum(mid), sum(high), sum(market_value)",
  backfills: "sum(prices), sum(refused), max(asked_at)",
  backfill_refusals: "sum(position), min(reason), max(reason)"
}

/** The days that the drop has of a table. */
const daysOf = (state: DropState | null, name: string): ReadonlyArray<string> =>
  Object.entries(state?.days ?? {})
    .flatMap(([dt, { tables }]) => (name in tables ? [dt] : []))
    .sort()

/** The first day that the drop is to have of a table; null = none yet. It follows what the drop has of the others. */
const firstDay = (state: DropState | null, name: string): string | null =>
  daysOf(state, name)[0] ?? (pastTables.some((past) => daysOf(state, past.name).length > 0) ? everyDay : null)

const everyDay = "0000-01-01"

/**
 * Writes what backfills brought of a game, by the day of the price or of the answer: when earlier days are asked for,
 * and from then on whenever a backfill has brought more.
 */
export const exportBackfilled = Effect.fn("exportBackfilled")(function* (
  to: Destination,
  gameId: string,
  span: Span,
  wanted: Omit<ExportForAll, "games" | "until">
) {
  const session = yield* scratchSession
  const { name } = wanted.table
  const query = pastTables.find((past) => past.name === name)?.query ?? ""
  const state = yield* readDocument(to, stateFile(gameId), DropState)
  const known = firstDay(state, name)
  const asked = span.backfill ? everyDay : (span.since ?? known)
  if (asked === null) return yield* placeForAll(session, to, wanted, [], gameId)
  const first = known !== null && known < asked ? known : asked
  const parts = yield* backfillPartsOf(gameId)
  yield* obtained(
    ...parts.flatMap(({ folder }) => backfillTables.map((table) => join(folder, `${table.name}.parquet`)))
  )
  for (const table of backfillTables)
    yield* session.run("Open the backfill", `create view ${table.name} as ${partsSql(table, parts)}`)
  const rows = yield* session.rows(
    "Ask for the days of the backfill",
    `select day::varchar as dt, concat_ws(' ', count(*), sum(product_id), ${sums[name] ?? ""}) as made_from
     from (${query}) where day >= ${sqlText(first)}::date ${span.until === null ? "" : `and day <= ${sqlText(span.until)}::date`}
     group by day order by day`
  )
  const found = new Map(rows.map((row) => [String(row["dt"]), row["made_from"]]))
  const gone = daysOf(state, name).filter(
    (dt) => !found.has(dt) && dt >= first && (span.until === null || dt <= span.until)
  )
  const days = [...found, ...gone.map((dt) => [dt, "0"] as const)].map(([dt, madeFrom]) => ({
    dt,
    madeFrom,
    rows: `from (${query}) where day = ${sqlText(dt)}::date`
  }))
  return yield* placeForAll(session, to, wanted, days, gameId)
}, Effect.scoped)
