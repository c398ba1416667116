import { Effect } from "effect"
import { needFolder } from "../src/store/lake/publish/openLake.ts"
import { addWatch, readWatchlist, removeWatch, watchHits } from "../src/desk/own/Watchlist.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { watchlistText, watchText } from "./print/watchText.ts"
import type * as specs from "./specs/own.ts"
import type { Input } from "./specs/spec.ts"

const figureFault = (named: Readonly<Record<string, string | null>>): string | null => {
  for (const [name, value] of Object.entries(named)) {
    if (value !== null && !/^\d{1,12}(\.\d{1,4})?$/.test(value))
      return `--${name} must be a number such as 20 or 19.99, not ${value}`
  }
  return null
}

/** Watches a price. */
export const add = Effect.fnUntraced(function* (input: Input<typeof specs.addWatch>) {
  const { above, below, days, finish, game, json, percent, product, set, source } = input
  const fault = figureFault({ below, above, percent })
  if (fault !== null) return yield* wrongUsage(fault)
  const from = source
  if (from !== null && from !== "sourceEur" && from !== "sourceUsd")
    return yield* wrongUsage(`--source must be sourceEur or sourceUsd, not ${from}`)
  const added = yield* addWatch({ product, set, gameId: game, finish, source: from, below, above, percent, days })
  yield* printAnswer(json, added, (one) => `Watched as number ${one.number}: ${watchText(one)}`)
})

/** Lists what is watched. */
export const list = Effect.fnUntraced(function* ({ json }: Input<typeof specs.listWatched>) {
  yield* needFolder
  const { watched } = yield* readWatchlist
  const prices = yield* watchHits()
  yield* printAnswer(json, { watched, prices }, (found) => watchlistText(found.watched, found.prices))
})

/** Removes the watch of a price. */
export const remove = Effect.fnUntraced(function* ({ json, number }: Input<typeof specs.removeWatch>) {
  yield* printAnswer(json, yield* removeWatch(number), () => `Number ${number} is no longer watched`)
})
