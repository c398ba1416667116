import { Effect, Result } from "effect"
import type { Road } from "../../feed/contract/Road.ts"
import { AskedRoad, NightPatience } from "./NightSettings.ts"
import { type QueueEnd } from "./nightQueue.ts"

/** One reading of a game. */
export interface RoadTaken {
  readonly road: Road
  /** Whether feed files that lag are taken as they are. */
  readonly takesOld: boolean
  /** Why it is not the road that was wanted; null if it is. */
  readonly why: string | null
}

/** A fault of the road itself: by the other one, the game can still be read. */
const roadFaults = new Set(["NoFeeds", "FeedsUnknown", "FeedFailed", "FeedsBehind", "Torn", "CensusMismatch"])

const whyNot = (error: { readonly _tag: string; readonly message: string }): string =>
  error._tag === "NoFeeds" ? "the marketplace has no feed files of it" : error.message

/**
 * Reads a game by the road that was asked for. With `auto`, by that of the published reading, so that nights can be
 * compared, and by the other one only if that fails twice; what is not published yet goes by feed files, where there are any.
 * Files that lag wait at the end of the queue, unless the last night did so for nothing.
 */
export const readByRoad = Effect.fnUntraced(function* <
  A,
  E extends { readonly _tag: string; readonly message: string },
  R
>(
  published: Road | null,
  {
    end,
    isVain
  }: {
    readonly end: QueueEnd
    /** Whether the files that lag were waited for the night before, and for nothing. */
    readonly isVain: (lag: E) => Effect.Effect<boolean, never, R>
  },
  read: (taken: RoadTaken) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E, AskedRoad | R> {
  const asked = (yield* AskedRoad).road
  const { everyMillis, looks } = yield* NightPatience
  const wanted: Road = asked === "auto" ? (published ?? "feeds") : asked
  const other: Road = wanted === "feeds" ? "pages" : "feeds"

  const patiently = Effect.fnUntraced(function* (): Effect.fn.Return<Result.Result<A, E>, never, R> {
    let takesOld = looks === 0
    for (let look = 1; ; look++) {
      const result = yield* Effect.result(read({ road: wanted, takesOld, why: null }))
      if (Result.isSuccess(result) || result.failure._tag !== "FeedsLag" || takesOld) return result
      const mayWait = look > 1 || !(yield* isVain(result.failure))
      const hasWaited = mayWait && (yield* end.after(look * everyMillis))
      takesOld = !hasWaited || look === looks
    }
  })

  const first = yield* patiently()
  if (Result.isSuccess(first)) return first.success
  const isRoads = ({ _tag }: E) => asked === "auto" && roadFaults.has(_tag)
  if (!isRoads(first.failure)) return yield* Effect.fail(first.failure)
  let fault = first.failure
  if (published !== null || fault._tag !== "NoFeeds") {
    yield* end.after(0)
    const second = yield* Effect.result(read({ road: wanted, takesOld: true, why: null }))
    if (Result.isSuccess(second)) return second.success
    if (!isRoads(second.failure)) return yield* Effect.fail(second.failure)
    fault = second.failure
  }
  const last = yield* Effect.result(read({ road: other, takesOld: true, why: whyNot(fault) }))
  // Without feed files there is no other road: what was wrong with the pages is told.
  if (Result.isFailure(last) && last.failure._tag === "NoFeeds") return yield* Effect.fail(fault)
  return yield* Effect.fromResult(last)
})
