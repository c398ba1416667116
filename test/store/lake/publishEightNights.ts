import { Effect } from "effect"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { type Said, publishNights } from "./handMadeNights.ts"
import { idOf } from "./invented.ts"

/** Publishes eight nights on the first eight days of May, with dollar rates for the last two of them. */
export const publishEightNights = Effect.fnUntraced(function* (night: (index: number) => Said) {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,USD\n2026-05-07,1.2\n2026-05-08,1.1\n",
    loadedAt: "2026-05-09T00:00:00Z"
  })
  return yield* publishNights(Array.from({ length: 8 }, (_, index) => night(index)))
})
