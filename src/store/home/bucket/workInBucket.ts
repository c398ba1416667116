import { Effect, Schedule } from "effect"
import { privateFolder } from "../disk.ts"
import type { HomePlace } from "../Home.ts"
import type { KeyBudgets } from "../../../feed/client/limiter/TokenStore.ts"
import { withRemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import { bucketBudgets } from "./budget/bucketBudgets.ts"
import { type BucketStore, openStore, patientStore } from "./BucketStore.ts"
import { BucketBusy } from "./BucketFailed.ts"
import { checkIn, type Overtaken, type WorkKind } from "./checkIn.ts"
import { type Checkout, checkOut, type Need } from "./checkOut.ts"
import { type DamagedObject, damagedHere, stillDamaged } from "./repair/examineBucket.ts"
import { checkStore, needHome, roomForHome } from "./homeAround.ts"
import { readLake } from "./gameInBucket.ts"
import { readOrRepairLake, type RepairedDocuments, repairDocuments } from "./repair/repairDocuments.ts"
import type { NightPart } from "./documents.ts"
import { newAttempt } from "./log/objects.ts"
import type { NightId } from "./nights/nightId.ts"
import { adoptReadings, openReadings } from "./openReadings.ts"
import { sweepBucket } from "./namedKeys.ts"

/** A folder with the parts of a home that a command needs. */
export interface PlaceInBucket extends HomePlace {
  /** The key budgets that runners of this bucket share. */
  readonly keyBudgets: KeyBudgets
  /** Where the folder's files come from. */
  readonly checkout: Checkout
}

/** The damage before and after a repair. */
export interface Repaired {
  readonly documents: RepairedDocuments
  readonly damaged: ReadonlyArray<DamagedObject>
  readonly left: ReadonlyArray<DamagedObject>
}

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
    /** False if it publishes nothing, e.g. a dry run. Absent: it may. */
    readonly publishes?: false
    /** True if it garbage-collects unreferenced objects afterwards. */
    readonly sweeps?: boolean
    /** For a repair: damaged objects of the bucket become damaged files. Corrects the command's result. */
    readonly repairs?: (done: A, of: Repaired) => A
    /** Merges the results of two tries. The second try did the conflicting games of the first. */
    readonly together: (first: A, second: A) => A
  }
}

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

/** Opens the home, or the room for one. The first read of the lake is returned, because the check-out uses it. */
const openHome = Effect.fnUntraced(function* <A, E, R>(store: BucketStore, { isFirst, need, writes }: Work<A, E, R>) {
  const lakeNow = yield* writes === null ? readLake(store) : readOrRepairLake(store)
  // This check comes before any write.
  if (lakeNow === null && isFirst === undefined) yield* needHome(store)
  else if (lakeNow === null && writes !== null) yield* roomForHome(store)
  // A garbage collection needs the store's time.
  const before = writes?.sweeps === true ? undefined : lakeNow?.commit.checked
  const checked = writes === null ? before : yield* checkStore(store, before)
  const documents = writes?.repairs === undefined ? null : yield* repairDocuments(store)
  if (documents !== null) return { checked, documents, wanted: documents.whole, first: {} }
  // A command that names an unknown game lists the known ones, so it needs all of them.
  const there = need.games === null || isFirst ? need.games : yield* store.folders("games")
  const wanted = need.games?.every((gameId) => there?.includes(gameId)) === true ? need.games : null
  return { checked, documents, wanted, first: { lakeNow } }
})

/** Does the work once, in a checked-out folder. Returns the games that another runner changed meanwhile. */
const workOnce = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  { checked, documents }: Pick<Effect.Success<ReturnType<typeof openHome>>, "checked" | "documents">,
  writes: Work<A, E2, R2>["writes"],
  checkout: Checkout,
  attempt: string,
  run: (root: string, place: PlaceInBucket) => Effect.Effect<A, E, R>
) {
  const { here, store } = checkout
  const damagedGames = new Map(Array.from(checkout.damagedGames, ([gameId, { message }]) => [gameId, message] as const))
  const place = { address: store.address, buildsLake: false, damagedGames, keyBudgets: bucketBudgets(store), checkout }
  const isNight = writes?.kind === "night"
  const readings = openReadings(checkout, attempt, isNight ? yield* adoptReadings(checkout) : new Set())
  const damaged = documents === null ? [] : yield* damagedHere(checkout)
  const keeping = Effect.andThen(Effect.repeat(Effect.ignore(readings.keep), Schedule.spaced(keepEvery)), Effect.never)
  const running = run(here.root, place)
  let done = yield* isNight ? Effect.raceFirst(running, keeping) : running
  if (writes === null) return { done, conflicts: [] }
  if (isNight) yield* Effect.ignore(readings.keepUnfinished)
  const { kind, repairs, part, settle } = writes
  if (documents !== null && repairs !== undefined)
    done = repairs(done, { documents, damaged, left: stillDamaged(checkout, damaged) })
  const { conflicts } = yield* checkIn(isNight ? { ...checkout, store: patientStore(store) } : checkout, attempt, {
    kind,
    checked,
    part: part && { night: part.night, verdictOf: (gameId) => part.verdictOf(done, gameId) },
    settle: (overtaken) =>
      Effect.map(settle(here.root, done, overtaken), (settled) => {
        done = settled
      })
  })
  if (isNight) yield* Effect.ignore(readings.forget(conflicts))
  return { done, conflicts }
})

/**
 * Runs a command in a temporary folder with the required parts of the home, and uploads its changes to the bucket.
 * Games that another runner changed are repeated from the new state. The scope deletes the folder.
 */
export const workInBucket = Effect.fn("workInBucket")(function* <A, E, R, E2, R2>(
  address: string,
  work: Work<A, E2, R2>,
  run: (root: string, games: ReadonlyArray<string> | null, place: PlaceInBucket) => Effect.Effect<A, E, R>
) {
  const { need, writes } = work
  const store = yield* openStore(address)
  const opened = yield* openHome(store, work)
  const lake = writes === null ? readLake : readOrRepairLake
  const skipsDamaged = writes?.kind === "night" && writes.part === undefined
  let games = opened.wanted
  let before: { readonly done: A } | null = null
  for (let tries = 0; tries < maxTries; tries++) {
    const root = yield* privateFolder
    const attempt = yield* newAttempt
    const again = tries === 0 ? opened.first : {}
    const checkout = yield* checkOut(store, root, { ...need, games, lake, ...again, skipsDamaged })
    const { done, conflicts } = yield* workOnce(opened, writes, checkout, attempt, (folder, place) =>
      run(folder, games, place)
    ).pipe(
      withRemoteFiles(checkout.remote),
      Effect.annotateSpans("cardlake.attempt", attempt),
      Effect.annotateLogs("attempt", attempt),
      Effect.mapError(sayingAddress(root, address))
    )
    const all: A = before !== null && writes !== null ? writes.together(before.done, done) : done
    if (conflicts.length === 0) {
      const { deleted } =
        writes?.sweeps === true ? yield* sweepBucket(store, opened.checked?.atMillis ?? 0) : { deleted: 0 }
      if (deleted > 0) yield* Effect.logInfo(`Unreferenced objects: ${deleted} were deleted`)
      return all
    }
    yield* Effect.logWarning(`Another runner changed ${conflicts.join(", ")} meanwhile; this one continues from there`)
    before = { done: all }
    games = writes?.again === "all" ? opened.wanted : conflicts
  }
  return yield* new BucketBusy({ document: `${address} (${(games ?? []).join(", ")})` })
})
