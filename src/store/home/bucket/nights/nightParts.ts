import { Effect, Runtime, Schema } from "effect"
import { BucketBusy } from "../BucketFailed.ts"
import type { BucketStore } from "../BucketStore.ts"
import { isLost } from "../bucketDocuments.ts"
import { lakeKey } from "../bucketKeys.ts"
import { emptyLake } from "../checkOut.ts"
import { type GameDocument, type NightPart, type ReportRef } from "../documents.ts"
import { openState, readGame, readKnownGame } from "../gameInBucket.ts"
import { homeIsThere, noNightThere } from "../address/homeIsThere.ts"
import { isReadLater, lastNight, mayBePlanned } from "./lastNight.ts"
import { mendLake } from "../lakeInBucket.ts"
import { newAttempt } from "../newAttempt.ts"
import type { NightId } from "./nightId.ts"
import { type Ready, swapLake } from "../swapLake.ts"

/** Nothing is known of a night. */
export class NightUnknown extends Schema.TaggedError<NightUnknown>()("NightUnknown", {
  night: Schema.String,
  planned: Schema.NullOr(Schema.String),
  /** Where no home is; null: there is one. */
  nowhere: Schema.NullOr(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    if (this.nowhere !== null) return noNightThere(this.nowhere)
    const last = this.planned === null ? "" : `; that is ${this.planned}`
    return `No game was read for the night ${this.night}, and it is not the last planned night${last}. See the night with: cardlake plan`
  }
}

/** What there is of a game's part: nobody has finished it, or the game was read for a later night. */
export interface PartFound {
  readonly gameId: string
  readonly verdict: NightPart["verdict"] | "waiting" | "later"
  readonly report: ReportRef | null
  /** Of a game whose document is lost. */
  readonly reason?: string
}

/** Held, and released since: then a person has decided. */
const verdictNow = Effect.fnUntraced(function* (store: BucketStore, { gameId, state }: GameDocument, part: NightPart) {
  if (part.verdict !== "held") return part.verdict
  const { published } = (yield* openState(store, gameId, state)).state
  return published.some((snapshot) => snapshot === String(part.report.run)) ? "published" : "held"
})

/** What there is of a night in parts: of every game that was planned, and of those that were read for it. */
export const nightParts = Effect.fn("nightParts")(function* (store: BucketStore, night: NightId) {
  const lake = (yield* mendLake(store)) ?? emptyLake
  const last = lake.nights?.planned ?? null
  const planned = last?.night === night ? last.games : []
  const names = [...new Set([...planned, ...(yield* store.folders("games"))])]
  const ready = new Map<string, Ready>()
  const found = yield* Effect.forEach(
    names,
    Effect.fnUntraced(function* (gameId): Effect.fn.Return<
      ReadonlyArray<PartFound>,
      Effect.Error<ReturnType<typeof readGame>>
    > {
      const isPlanned = planned.includes(gameId)
      const reading = isPlanned ? readKnownGame(store, gameId, lake.games[gameId]) : readGame(store, gameId)
      const read = yield* Effect.result(reading)
      if (read._tag === "Failure") {
        if (!isPlanned || !isLost(read.failure)) return yield* read.failure
        return [{ gameId, verdict: "failed", report: null, reason: read.failure.message }]
      }
      const document = read.success
      const part = document?.part
      if (document != null && part?.night === night) {
        ready.set(gameId, { number: document.number, state: document.state, report: part.report })
        return [{ gameId, verdict: yield* verdictNow(store, document, part), report: part.report }]
      }
      if (part !== undefined && isReadLater(part.night, night)) return [{ gameId, verdict: "later", report: null }]
      return isPlanned ? [{ gameId, verdict: "waiting", report: null }] : []
    }),
    { concurrency: 8 }
  )
  const parts = found.flat()
  // That games were read for later ones says nothing of a night.
  const isKnown = ready.size > 0 || planned.length > 0 || mayBePlanned(night, lastNight(lake.nights))
  if (parts.length === 0 || !isKnown) {
    const nowhere = (yield* homeIsThere(store)) ? null : store.address
    return yield* new NightUnknown({ night, planned: last?.night ?? null, nowhere })
  }
  return { lake, parts, ready }
})

/** Publishes what is ready of a night, in one swap. Returns the games that show another state now. */
export const publishParts = Effect.fn("publishParts")(function* (
  store: BucketStore,
  night: NightId,
  { lake, parts, ready }: Effect.Success<ReturnType<typeof nightParts>>
) {
  // Whoever plans again on that day gets this night, and reads what failed.
  const closes = parts.some(({ verdict }) => verdict === "waiting" || verdict === "failed") ? null : night
  if (ready.size === 0) return []
  return yield* swapLake({ store, lake, hollow: { known: new Map() } }, yield* newAttempt, {
    here: { fresh: [], kept: [] },
    ready,
    closes
  }).pipe(Effect.catchTag("AttemptLeft", () => new BucketBusy({ document: store.urlOf(lakeKey) })))
})
