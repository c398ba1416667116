import { Effect, Result } from "effect"
import type { Via } from "../../feed/contract/Via.ts"
import { ViaSetting, NightPatience } from "./NightSettings.ts"
import { type QueueEnd } from "./nightQueue.ts"

/** One reading of a game. */
export interface ViaTaken {
  readonly via: Via
  /** Whether feed files that lag are taken as they are. */
  readonly takesOld: boolean
  /** Why it is not the wanted way; null if it is. */
  readonly why: string | null
}

/** A fault of the way of reading itself: by the other one, the game can still be read. */
const viaFaults = new Set(["NoFeeds", "FeedsUnknown", "FeedFailed", "FeedsBehind", "Torn", "CensusMismatch"])

const whyNot = (error: { readonly _tag: string; readonly message: string }): string =>
  error._tag === "NoFeeds" ? "the marketplace has no feed files of it" : error.message

/**
 * Reads a game by the way of reading that was asked for. With `auto`, by that of the published reading, so that nights can be
 * compared, and by the other one only if that fails twice; what is not published yet goes by feed files, where there are any.
 * Files that lag wait at the end of the queue, unless the last night did so for nothing.
 */
export const readGameVia = Effect.fnUntraced(function* <
  A,
  E extends { readonly _tag: string; readonly message: string },
  R
>(
  published: Via | null,
  {
    end,
    isVain
  }: {
    readonly end: QueueEnd
    /** Whether the files that lag were waited for the night before, and for nothing. */
    readonly isVain: (lag: E) => Effect.Effect<boolean, never, R>
  },
  read: (taken: ViaTaken) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E, ViaSetting | R> {
  const asked = (yield* ViaSetting).via
  const { everyMillis, looks } = yield* NightPatience
  const wanted: Via = asked === "auto" ? (published ?? "feeds") : asked
  const other: Via = wanted === "feeds" ? "pages" : "feeds"

  const patiently = Effect.fnUntraced(function* (): Effect.fn.Return<Result.Result<A, E>, never, R> {
    let takesOld = looks === 0
    for (let look = 1; ; look++) {
      const result = yield* Effect.result(read({ via: wanted, takesOld, why: null }))
      if (Result.isSuccess(result) || result.failure._tag !== "FeedsLag" || takesOld) return result
      const mayWait = look > 1 || !(yield* isVain(result.failure))
      const hasWaited = mayWait && (yield* end.after(look * everyMillis))
      takesOld = !hasWaited || look === looks
    }
  })

  const first = yield* patiently()
  if (Result.isSuccess(first)) return first.success
  const isColumnVia = ({ _tag }: E) => asked === "auto" && viaFaults.has(_tag)
  if (!isColumnVia(first.failure)) return yield* Effect.fail(first.failure)
  let fault = first.failure
  if (published !== null || fault._tag !== "NoFeeds") {
    yield* end.after(0)
    const second = yield* Effect.result(read({ via: wanted, takesOld: true, why: null }))
    if (Result.isSuccess(second)) return second.success
    if (!isColumnVia(second.failure)) return yield* Effect.fail(second.failure)
    fault = second.failure
  }
  const last = yield* Effect.result(read({ via: other, takesOld: true, why: whyNot(fault) }))
  // Without feed files there is no other way: what was wrong with the pages is told.
  if (Result.isFailure(last) && last.failure._tag === "NoFeeds") return yield* Effect.fail(fault)
  return yield* Effect.fromResult(last)
})
