import { Effect } from "effect"
import { backfillPartsOf } from "../../home/BackfillPart.ts"
import { partsSql } from "../../lake/backfill/backfillFiles.ts"
import { backfilledPrices } from "../../lake/backfill/backfillTables.ts"
import { scratchSession } from "../../lake/duckdb/scratchSession.ts"
import { sqlText } from "../../lake/duckdb/sqlText.ts"
import type { Destination } from "../destination/Destination.ts"
import { DropState, readDocument, stateFile } from "./Drop.ts"
import { dropBackfilled } from "./exportTables.ts"
import { type ExportForAll, placeForAll } from "./placeForAll.ts"
import type { Span } from "./planDays.ts"

/** The first day of the history that the drop has of a game; null = none yet. */
const firstBackfilled = (state: DropState | null): string | null =>
  Object.entries(state?.days ?? {})
    .flatMap(([dt, { tables }]) => (dropBackfilled.name in tables ? [dt] : []))
    .sort()[0] ?? null

/**
 * Writes what backfills brought of a game, by the day of the price: when earlier days are asked for, and from then on
 * whenever a backfill has brought more.
 */
export const exportBackfilled = Effect.fn("exportBackfilled")(function* (
  to: Destination,
  gameId: string,
  span: Span,
  wanted: Omit<ExportForAll, "games" | "until">
) {
  const session = yield* scratchSession
  const known = firstBackfilled(yield* readDocument(to, stateFile(gameId), DropState))
  const first = span.backfill ? "0000-01-01" : (span.since ?? known)
  if (first === null) return yield* placeForAll(session, to, wanted, [], gameId)
  const parts = yield* backfillPartsOf(gameId)
  yield* session.run("Open the backfill", `create view backfilled_prices as ${partsSql(backfilledPrices, parts)}`)
  // Rows are only ever added, so that a day with the same counts and sums has the same rows.
  const days = yield* session.rows(
    "Ask for the days of the backfill",
    `select day::varchar as dt, concat_ws(' ', count(*), sum(product_id), sum(low), sum(mid), sum(high), sum(market_value)) as made_from
     from backfilled_prices
     where day >= least(${sqlText(first)}, ${sqlText(known ?? first)})::date ${span.until === null ? "" : `and day <= ${sqlText(span.until)}::date`}
     group by day order by day`
  )
  return yield* placeForAll(
    session,
    to,
    wanted,
    days.map((row) => {
      const dt = String(row["dt"])
      return { dt, madeFrom: row["made_from"], rows: `from (${dropBackfilled.query}) where day = ${sqlText(dt)}::date` }
    }),
    gameId
  )
}, Effect.scoped)
