import { Effect, Result, Clock, Deferred, Option, Semaphore } from "effect"
import type { Via } from "../../feed/contract/Via.ts"
import { ViaSetting, NightPatience } from "./NightSettings.ts"

export interface QueueEnd {
  /** Waits until all games had a turn, then `millis`. False without waiting if the night has no time. */
  readonly after: (millis: number) => Effect.Effect<boolean>
}

/**
 * The queue of a night's games with limited concurrency. Waiting games let others pass. All of them wait together, from
 * when every game has had a turn, and at most until `untilMillis`.
 */
export const makeNightQueue = Effect.fnUntraced(function* (games: number, atOnce: number, untilMillis: number) {
  const gate = yield* Semaphore.make(atOnce)
  const allHad = yield* Deferred.make<number>()
  let left = games
  return <A, E, R>(turn: (end: QueueEnd) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    let isOver = false
    const over = Effect.gen(function* () {
      if (isOver) return
      isOver = true
      left -= 1
      if (left === 0) yield* Deferred.succeed(allHad, yield* Clock.currentTimeMillis)
    })
    const after = Effect.fnUntraced(function* (millis: number) {
      yield* gate.release(1)
      yield* over
      const left = Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, untilMillis - now))
      const since = Option.getOrNull(yield* Effect.timeoutOption(Deferred.await(allHad), yield* left))
      const hasTime = since !== null && since + millis <= untilMillis
      if (hasTime) yield* Effect.sleep(Math.max(0, since + millis - (yield* Clock.currentTimeMillis)))
      yield* gate.take(1)
      return hasTime
    })
    return Effect.ensuring(gate.withPermit(turn({ after })), over)
  }
})

export interface ViaAttempt {
  readonly via: Via
  /** True if lagging feed files are accepted unchanged. */
  readonly takesOld: boolean
  /** The reason for not using the preferred source; null if it is used. */
  readonly why: string | null
}

/** Errors of one source, after which the game can still be read from the other. */
const viaFaults = new Set(["NoFeeds", "FeedsUnknown", "FeedFailed", "FeedsBehind", "Torn", "CensusMismatch"])

const whyNot = (error: { readonly _tag: string; readonly message: string }): string =>
  error._tag === "NoFeeds" ? "the marketplace has no feed files of it" : error.message

/**
 * Reads a game from the configured source. `auto` uses that of the published reading, so that nights are comparable,
 * and the other one only after two failures. Unpublished games use feed files if available. A game with lagging files
 * moves to the end of the queue, unless last night waited for nothing.
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
    /** True if the last night waited for the lagging files for nothing. */
    readonly isVain: (lag: E) => Effect.Effect<boolean, never, R>
  },
  read: (taken: ViaAttempt) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E, ViaSetting | R> {
  const setting = (yield* ViaSetting).via
  const { everyMillis, looks } = yield* NightPatience
  const wanted: Via = setting === "auto" ? (published ?? "feeds") : setting
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
  const isColumnVia = ({ _tag }: E) => setting === "auto" && viaFaults.has(_tag)
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
  // Without feed files there is no other source, so the error of the pages is reported.
  if (Result.isFailure(last) && last.failure._tag === "NoFeeds") return yield* Effect.fail(fault)
  return yield* Effect.fromResult(last)
})
