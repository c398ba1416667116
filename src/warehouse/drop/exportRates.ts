import { Effect } from "effect"
import { isThere } from "../../store/home/disk.ts"
import { Home } from "../../store/home/Home.ts"
import { verifySummed } from "../../store/home/verifyFile.ts"
import { scratchSession, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { dayNumber, dayText } from "./dayNumber.ts"
import { dropRates } from "./exportTables.ts"
import { type ExportForAll, firstDayOf, placeForAll } from "./placeForAll.ts"

/** A rate also applies on the days without one after it, six at most. */
const daysBefore = 6

/** Whether the home has rates that can be read; damaged ones stay as they are in the drop. */
const hasRates = Effect.flatMap(Home, ({ rates }) =>
  Effect.matchEffect(verifySummed(rates), {
    onSuccess: () => Effect.succeed(isThere(rates)),
    onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
  })
)

/**
 * Adds the rates of the drop's days, and replaces days whose rates the bank has corrected. None is ever taken back, and
 * rates that were loaded again are not written again.
 */
export const exportRates = Effect.fn("exportRates")(function* (to: Destination, wanted: ExportForAll) {
  const { games, until } = wanted
  const session = yield* scratchSession
  const day = yield* firstDayOf(to, games)
  if (day === null || !(yield* hasRates)) return yield* placeForAll(session, to, wanted, [])
  const first = dayText(dayNumber(day) - daysBefore)
  yield* session.set({ rates_file: (yield* Home).rates })
  const days = yield* session.rows(
    "Ask for the exchange rates",
    `select day::varchar as dt, string_agg(currency || ' ' || rate, ',' order by currency) as rates
     from (${dropRates.query}) where day >= ${sqlText(first)}::date and (${until === null ? "true" : `day <= ${sqlText(until)}::date`})
     group by day order by day`
  )
  return yield* placeForAll(
    session,
    to,
    wanted,
    days.map((row) => {
      const dt = String(row["dt"])
      return { dt, madeFrom: row["rates"], rows: `from (${dropRates.query}) where day = ${sqlText(dt)}::date` }
    })
  )
}, Effect.scoped)
