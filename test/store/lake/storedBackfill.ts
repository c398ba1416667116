import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { addToLedger, storeAnswer } from "../../../src/store/home/backfill/backfillLedger.ts"
import { storeBackfill } from "../../../src/store/lake/backfill/storeBackfill.ts"
import { eurRow, historyOf } from "../../backfill/historyServer.ts"
import { gameId, idOf } from "./invented.ts"

type Values = ReadonlyMap<number, ReadonlyArray<readonly [day: string, marketValue: number, more?: object]>>

/** Stores answers of the service's own price history, which the next publication takes in: market values by product and day. */
export const answeredBackfill = Effect.fnUntraced(function* (products: Values) {
  for (const [product, values] of products) {
    const span = { product, from: values[0]?.[0] ?? "", to: values.at(-1)?.[0] ?? "" }
    yield* addToLedger(gameId, [{ ...span, status: "queued", at: span.to }])
    const rows = values.map(([day, value, more]) => eurRow(day, value, more))
    const stored = yield* storeAnswer(gameId, span, gzipSync(historyOf(span, rows)))
    yield* addToLedger(gameId, [{ ...span, status: "stored", at: `${span.to}T02:00:00.000Z`, ...stored }])
  }
})

/** Takes market values of sourceEur, as the service's own history has them, into the game's: by product and day. */
export const storedBackfill = Effect.fnUntraced(function* (run: string, products: Values) {
  yield* answeredBackfill(products)
  yield* storeBackfill(idOf(run), gameId, false)
})
