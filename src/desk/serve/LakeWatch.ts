import { Effect, Schedule, Stream, SubscriptionRef } from "effect"
import { Home } from "../../store/home/Home.ts"
import { identifyFile, type LakeReader, type LakeView } from "../explorer/LakeReader.ts"

const lastSequence = "select coalesce(max(sequence), 0)::varchar as last from publications"

/** Returns the number of the last publication of an open lake. */
export const readLast = ({ kept }: LakeView) =>
  Effect.map(kept("Read the last publication", lastSequence), ([row]) => Number(row?.["last"]))

/**
 * Watches the file of the lake for all that wait for a publication, so that none of them needs a connection. `onNext`
 * runs after each new publication, before they wake up.
 */
export const makeLakeWatch = Effect.fnUntraced(function* (
  lake: LakeReader,
  onNext: (last: number) => Effect.Effect<void>
) {
  const home = yield* Home
  const read = Effect.scoped(Effect.flatMap(lake.view, readLast))
  let seen = yield* identifyFile(home.lake)
  const last = yield* SubscriptionRef.make(yield* read)
  const look = Effect.gen(function* () {
    const found = yield* identifyFile(home.lake)
    if (found === seen) return
    const next = yield* read
    yield* onNext(next)
    yield* SubscriptionRef.set(last, next)
    seen = found
  })
  // A lake that cannot be opened is reported to those who request it; the watcher tries again.
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(look), Schedule.spaced("200 millis")))
  return {
    last: SubscriptionRef.get(last),
    /** Returns when a publication after `sequence` is there, and at the latest after `seconds`. */
    waitAfter: (sequence: number, seconds: number) =>
      SubscriptionRef.changes(last).pipe(
        Stream.takeUntil((now) => now > sequence),
        Stream.runDrain,
        Effect.timeoutOption(`${seconds} seconds`),
        Effect.asVoid
      )
  }
})

export type LakeWatch = Effect.Success<ReturnType<typeof makeLakeWatch>>
