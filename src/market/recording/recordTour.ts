import { Effect } from "effect"
import type { KnownDialect } from "../../feed/contract/dialect/dialects.ts"
import { type Hook, recordControl } from "./recordControl.ts"
import { recordReading } from "./recordReading.ts"
import { recordSelling } from "./recordSelling.ts"
import { recordTrade } from "./recordTrade.ts"
import type { Send } from "./sending.ts"

/** One request to every operation and control route of a sandbox with the sample. Returns the keys of those who trade. */
export const recordTour = Effect.fnUntraced(function* (send: Send, hook: Hook, dialect: KnownDialect = "spec") {
  const market = yield* recordControl(send, hook, dialect)
  yield* recordReading(send, market.seller, dialect)
  yield* recordSelling(send, market.seller)
  yield* recordTrade(send, market)
  return market
})
