import { textOfMillis } from "./MarketClock.ts"
import type { Transaction } from "./State.ts"

/** The same write at another instant, for what happened before the market was opened. */
export const atInstant = (tx: Transaction, atMillis: number): Transaction => ({
  ...tx,
  atMillis,
  at: textOfMillis(atMillis)
})
