import { Effect, Schedule } from "effect"
import { privateFolder } from "../disk.ts"
import type { HomePlace } from "../Home.ts"
import type { KeyBudgets } from "../../../feed/client/limiter/TokenStore.ts"
import { withRemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import { bucketBudgets } from "./budget/bucketBudgets.ts"
import { type BucketStore, openStore } from "./BucketStore.ts"
import { BucketBusy } from "./BucketFailed.ts"
import { lakeKey } from "./bucketKeys.ts"
import { checkIn, type Overtaken, type WorkKind } from "./checkIn.ts"
import { checkOut, type Need } from "./checkOut.ts"
import { type DamagedObject, damagedHere, forgetReports, stillDamaged } from "./repair/damagedHere.ts"
import { needHome } from "./address/homeIsThere.ts"
import { mendLake, readLake } from "./lakeInBucket.ts"
import { type MendedDocuments, mendDocuments } from "./repair/mendDocuments.ts"
import type { NightPart } from "./documents.ts"
import { newAttempt } from "./newAttempt.ts"
import type { NightId } from "./nights/nightId.ts"
import { adoptReadings, openReadings } from "./openReadings.ts"
import { patientStore } from "./patientStore.ts"
import { roomForHome } from "./address/roomForHome.ts"
import { probeStore } from "./probeStore.ts"
import { sweepBucket } from "./sweepBucket.ts"

/** A folder with the parts of a home that a command needs. */
export interface PlaceInBucket extends HomePlace {
  /** The key budgets that runners of this bucket share. */
  readonly keyBudgets: KeyBudgets
}

/** The damage before and after a repair. */
export interface Mended {
  readonly documents: MendedDocuments
  readonly damaged: ReadonlyArray<DamagedObject>
  readonly left: ReadonlyArray<DamagedObject>
}

/** A command's work on a home. */
export interface Work<A, E, R> {
  readonly need: Need
  /** True if it may create the home at its address. Absent: the home must exist. */
  readonly isFirst?: true
  /** Null if it only reads. */
  readonly writes: null | {
    readonly kind: WorkKind
    /** For a night that is published as one: returns a game's verdict in this part of it. */
    readonly part?: { readonly night: NightId; readonly verdictOf: (done: A, gameId: string) => NightPart["verdict"] }
    /** The games to repeat if other runners changed some of them: only these, or all. */
    readonly again: "lost" | "all"
    /** Corrects the command's result, and its report, if other runners were faster. */
    readonly settle: (root: string, done: A, overtaken: Overtaken) => Effect.Effect<A, E, R>
    /** True if it garbage-collects unreferenced objects afterwards. */
    readonly sweeps?: boolean
    /** For a repair: damaged objects of the bucket become damaged files. Corrects the command's result. */
    readonly mends?: (done: A, of: Mended) => A
    /** Merges the results of two tries. The second try did the conflicting games of the first. */
    readonly together: (first: A, second: A) => A
  }
}

const verdictsOf =
  <A>(part: NonNullable<NonNullable<Work<A, never, never>["writes"]>["part"]>, done: A) =>
  (gameId: string) =>
    part.verdictOf(done, gameId)

/** Replaces this machine's folder by the home's address in the errors of a command. */
const sayingAddress =
  (root: string, address: string) =>
  <E>(error: E): E => {
    if (!(error instanceof Error) || !error.message.includes(root)) return error
    const message = error.message.replaceAll(root, address)
    return Object.create(error, { message: { value: message, enumerable: false } }) as E
  }

/** The maximum age of pages that a crash can lose. */
const keepEvery = "5 seconds"

/** The maximum number of times that a command repeats conflicting games. */
const maxTries = 8

const hasGames = (store: BucketStore, games: ReadonlyArray<string>) =>
  Effect.map(store.folders("games"), (there) => games.every((gameId) => there.includes(gameId)))

/**
 * Runs a command in a temporary folder with the required parts of the home, and uploads its changes to the bucket.
 * Games that another runner changed are repeated from the new state. The scope deletes the folder.
 */
export const workInBucket = Effect.fn("workInBucket")(function* <A, E, R, E2, R2>(
  address: string,
  { isFirst, need, writes }: Work<A, E2, R2>,
  run: (root: string, games: ReadonlyArray<string> | null, place: PlaceInBucket) => Effect.Effect<A, E, R>
) {
  const store = yield* openStore(address)
  // This check comes before any write.
  if (isFirst === undefined) yield* needHome(store)
  else if (writes !== null) yield* roomForHome(store)
  const storeMillis = writes === null ? 0 : yield* probeStore(store, yield* newAttempt)
  const documents = writes?.mends === undefined ? null : yield* mendDocuments(store)
  const lake = writes === null ? readLake(store) : mendLake(store)
  // A command that names an unknown game lists the known ones, so it needs all of them.
  const areThere = need.games === null || isFirst ? true : yield* hasGames(store, need.games)
  const wanted = documents === null ? (areThere ? need.games : null) : documents.whole
  let games = wanted
  let before: { readonly done: A } | null = null
  for (let tries = 0; tries < maxTries; tries++) {
    const root = yield* privateFolder
    const attempt = yield* newAttempt
    const leavesLost = writes?.kind === "night" && writes.part === undefined
    const checkout = yield* checkOut(store, root, { ...need, games, lake, leavesLost })
    const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        withRemoteFiles(checkout.standIns),
        Effect.annotateSpans("cardlake.attempt", attempt),
        Effect.annotateLogs("attempt", attempt),
        Effect.mapError(sayingAddress(root, address))
      )
    const { lostGames } = checkout
    const place = { address, buildsLake: false, lostGames, keyBudgets: bucketBudgets(store) }
    const isNight = writes?.kind === "night"
    const readings = openReadings(checkout, attempt, isNight ? yield* adoptReadings(checkout) : new Set())
    const keeping = Effect.andThen(
      Effect.repeat(Effect.ignore(readings.keep), Schedule.spaced(keepEvery)),
      Effect.never
    )
    const damaged = documents === null ? [] : yield* damagedHere(checkout)
    let done = yield* within(isNight ? Effect.raceFirst(run(root, games, place), keeping) : run(root, games, place))
    if (isNight) {
      // The report needs a reachable store as well. If the store was already waited for, it is not waited for again.
      yield* Effect.catchIf(
        store.patience.wait(store.read(lakeKey)),
        ({ isAway }) => isAway !== true,
        () => Effect.void
      )
      yield* within(Effect.ignore(readings.keep))
    }
    if (documents !== null && writes?.mends !== undefined) {
      done = writes.mends(done, { documents, damaged, left: stillDamaged(checkout, damaged) })
      yield* forgetReports(checkout)
    }
    const lost =
      writes === null
        ? []
        : (yield* within(
            checkIn(isNight ? { ...checkout, store: patientStore(store) } : checkout, attempt, {
              kind: writes.kind,
              part: writes.part && { night: writes.part.night, verdictOf: verdictsOf(writes.part, done) },
              settle: (overtaken) =>
                Effect.map(writes.settle(root, done, overtaken), (settled) => {
                  done = settled
                })
            })
          )).lost
    if (isNight) yield* Effect.ignore(readings.forget)
    if (before !== null && writes !== null) done = writes.together(before.done, done)
    if (lost.length === 0) {
      if (writes?.sweeps === true) {
        const { deleted, listed } = yield* sweepBucket(store, yield* newAttempt, storeMillis)
        if (listed + deleted > 0)
          yield* Effect.logInfo(`Unreferenced objects: ${listed} will be deleted in a week, ${deleted} were deleted`)
      }
      return done
    }
    yield* Effect.logWarning(`Another runner changed ${lost.join(", ")} meanwhile; this one continues from there`)
    before = { done }
    games = writes?.again === "all" ? wanted : lost
  }
  return yield* new BucketBusy({ document: `${address} (${(games ?? []).join(", ")})` })
})
