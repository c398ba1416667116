import { Effect } from "effect"
import { needFolder } from "../src/store/lake/publish/openLake.ts"
import { addWatch, readWatchlist, removeWatch, watchHits } from "../src/desk/own/Watchlist.ts"
import { printAnswer } from "./print/printAnswer.ts"
import { watchlistText, watchText } from "./print/watchText.ts"
import type * as specs from "./specs/own.ts"

/** Watches a price. */
export const add = Effect.fnUntraced(function* ({ game, json, ...input }: typeof specs.addWatch.Input) {
  const added = yield* addWatch({ ...input, gameId: game })
  yield* printAnswer(json, added, (one) => `Watched as number ${one.number}: ${watchText(one)}`)
})

/** Lists what is watched. */
export const list = Effect.fnUntraced(function* ({ json }: typeof specs.listWatched.Input) {
  yield* needFolder
  const { watched } = yield* readWatchlist
  const prices = yield* watchHits()
  yield* printAnswer(json, { watched, prices }, (found) => watchlistText(found.watched, found.prices))
})

/** Removes the watch of a price. */
export const remove = Effect.fnUntraced(function* ({ json, number }: typeof specs.removeWatch.Input) {
  yield* printAnswer(json, yield* removeWatch(number), () => `Number ${number} is no longer watched`)
})
