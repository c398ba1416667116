import { Effect, Schema, Result, Option } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { RunId } from "../../../feed/contract/Ids.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { type StoredReport, filesIn, isDamaged } from "../../../store/home/bucket/documents.ts"
import { type LakeHead, openLake, readGame } from "../../../store/home/bucket/gameInBucket.ts"
import { homeIsThere, noNightThere } from "../../../store/home/bucket/homeAround.ts"
import {
  isReadLater,
  lastNight,
  mayBePlanned,
  isLaterNight,
  type NightId
} from "../../../store/home/bucket/nights/nightId.ts"
import { readOrRepairLake } from "../../../store/home/bucket/repair/repairDocuments.ts"
import { RunReport } from "../../observe/RunReport.ts"
import { BucketFailed } from "../../../store/home/bucket/BucketFailed.ts"
import { reportsFolder, keyOfFile } from "../../../store/home/bucket/bucketKeys.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { planNight } from "../../../store/home/bucket/nights/nightParts.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import { faultsOfNames } from "../../run/gamesOfNight.ts"
import { basename } from "node:path"

/**
 * A part of a night. `done` says if this run read the game, an earlier one did, or nothing was to be read. Its verdict
 * is that of the game's reading; `published` means ready until `isPublished`.
 */
export type PartReport = { readonly night: NightId } & (
  | ({ readonly done: "now" | "before"; readonly isPublished: boolean } & RunReport)
  | {
      readonly done: "later" | "nothing"
      readonly run: null
      readonly verdict: "unchanged"
      readonly reason: string
      readonly games: ReadonlyArray<never>
    }
)

export const noPart = (night: NightId, done: "later" | "nothing", reason: string): PartReport => ({
  night,
  done,
  run: null,
  verdict: "unchanged",
  reason,
  games: []
})

const lakeOfSteps = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readOrRepairLake(store)
  if (lake === null && !(yield* homeIsThere(store)))
    return yield* new Fault("PartUnknown", noNightThere(store.address), 2)
  return lake
})

/** Returns the game with this number in the plan of a night; null if the plan has fewer games. */
export const gameOfPlan = Effect.fnUntraced(function* (store: BucketStore, night: NightId, index: number) {
  const planned = (yield* lakeOfSteps(store))?.commit.nights?.planned ?? null
  if (planned?.night !== night) {
    const last = planned === null ? "No night is planned" : `The last planned night is ${planned.night}`
    return yield* new Fault(
      "PartUnknown",
      `${last}, so no game of ${night} has a number. Name the game, or plan a night with: cardlake plan`,
      2
    )
  }
  return planned.games[index] ?? null
})

/** True if the lake lists a run, i.e. the snapshots that it prepared are published. */
const isListed = (store: BucketStore, lake: LakeHead | null, run: RunId) =>
  Effect.map(
    openLake(store, lake).find({ gameId: null, folder: reportsFolder, name: `${run}.json` }),
    (found) => found !== null
  )

/** Returns the finished part of a game; null if it is still to be read. A failed part is read again. */
export const partDone = Effect.fnUntraced(function* (store: BucketStore, night: NightId, gameId: string) {
  const lake = yield* lakeOfSteps(store)
  const last = lastNight(lake?.commit.nights)
  if (!mayBePlanned(night, last)) {
    const than =
      last === null
        ? ""
        : isLaterNight(night, last)
          ? `; the last one is ${last}`
          : ` within a week before the last one, ${last}`
    return yield* new Fault("PartUnknown", `Night ${night} is not planned${than}. Plan one with: cardlake plan`, 2)
  }
  const part = (yield* readGame(store, gameId))?.commit.part
  if (part === undefined || (part.night !== night && !isReadLater(part.night, night))) return null
  if (part.night !== night)
    return noPart(night, "later", `${gameId} was already read for ${part.night}, which is later. Nothing was done`)
  if (part.verdict === "failed") return null
  const report = yield* decodeReport(part.report)
  const isPublished = yield* isListed(store, lake, part.report.run)
  return { ...report, night, done: "before", isPublished } satisfies PartReport
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(RunReport))

/** Decodes the report of a run that a commit contains. */
export const decodeReport = ({ run, text }: StoredReport) =>
  Effect.mapError(
    decode(text),
    () =>
      new BucketFailed({
        step: `Read the report of ${run}`,
        reason: "it is not a report that this version can read",
        next: "Update Cardlake"
      })
  )

/** Max runs that are searched for games whose commits name no reading. */
const runsLookedAt = 100

type FoundReport = readonly [run: string, text: Effect.Effect<string, BucketFailed>]

const newestFirst = ([a]: FoundReport, [b]: FoundReport) => (a < b ? 1 : -1)

/** Returns the cost of a game that a night has read completely, with the requests of an earlier try; null otherwise. */
const weightIn = ({ games, kind }: RunReport, gameId: string) => {
  const game = games.find((one) => one.gameId === gameId)
  if (kind !== "nightly" || game === undefined || game.verdict === "failed" || game.products === null) return null
  const { deploymentId, products, requests, resumedPages = 0, seconds } = game
  return { deploymentId, requests: requests === undefined ? null : requests + resumedPages, products, seconds }
}

/** The costs of games in the last night that read each. A report is fetched once and shared. */
export const gameWeights = Effect.fnUntraced(function* (store: BucketStore) {
  const fetched = new Map<string, Effect.Effect<Option.Option<RunReport>>>()
  const loadReport = Effect.fnUntraced(function* ([run, text]: FoundReport) {
    const report = Effect.flatMap(text, (found) => decodeReport({ run: RunId.make(run), text: found }))
    const known = fetched.get(run) ?? (yield* Effect.cached(Effect.option(report)))
    fetched.set(run, known)
    return Option.getOrNull(yield* known)
  })
  const runs = yield* Effect.cached(lastRuns(store))

  const findWeight = Effect.fnUntraced(function* (refs: ReadonlyArray<FoundReport>, gameId: string) {
    for (const ref of refs) {
      const report = yield* loadReport(ref)
      const weight = report === null ? null : weightIn(report, gameId)
      if (weight !== null) return weight
    }
    return null
  })

  return Effect.fnUntraced(function* (gameId: string) {
    // The reading of a game with a missing commit reports it.
    const head = yield* Effect.catchIf(readGame(store, gameId), isDamaged, () => Effect.succeed(null))
    if (head === null) return null
    const { part, report } = head.commit
    const gameReports = [part?.report, report]
      .flatMap((one): ReadonlyArray<FoundReport> => (one == null ? [] : [[one.run, Effect.succeed(one.text)]]))
      .toSorted(newestFirst)
    return (yield* findWeight(gameReports, gameId)) ?? (yield* findWeight(yield* runs, gameId))
  })
})

/** Returns the last runs that the lake lists, newest first. */
const lastRuns = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = openLake(store, yield* readOrRepairLake(store))
  const found: Array<FoundReport> = []
  for (const name of Object.keys(lake.months).toSorted().toReversed()) {
    if (found.length >= runsLookedAt) break
    const month = Option.getOrNull(yield* Effect.option(lake.month(name)))
    const list = month?.folders[reportsFolder]
    const files = list === undefined ? [] : filesIn({ gameId: null, folder: reportsFolder }, yield* lake.list(list))
    const refs = files.map((file): FoundReport => [
      basename(file.name, ".json"),
      store.fetchText(keyOfFile(file), file.sha256)
    ])
    found.push(...refs.toSorted(newestFirst))
  }
  return found.slice(0, runsLookedAt)
})

type Weights = ReturnType<typeof gameWeights>

/** Returns the readable games, heaviest first, because the heaviest one determines when a night ends. */
const gamesByWeight = Effect.fnUntraced(function* (weights: Weights) {
  const { gameIds } = yield* listGames
  const faults = faultsOfNames(gameIds, new Set())
  const named = gameIds.filter((gameId) => !faults.has(gameId))
  const weigh = yield* weights
  const weighed = yield* Effect.forEach(
    named,
    (gameId) => Effect.map(weigh(gameId), (weight) => [gameId, weight?.requests ?? 0] as const),
    { concurrency: 8 }
  )
  return weighed.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([gameId]) => gameId)
})

/** Returns only the night's id. A planned night needs no request to the marketplace. */
export const runPlanId = (store: BucketStore, weights: Weights = gameWeights(store)) =>
  planNight(store, gamesByWeight(weights))

export const runPlan = Effect.fn("runPlan")(function* (store: BucketStore) {
  const marketplace = yield* Marketplace
  const weights = yield* Effect.cached(gameWeights(store))
  const { games, night } = yield* runPlanId(store, weights)
  const weigh = yield* weights
  const planned = yield* Effect.forEach(
    games,
    Effect.fnUntraced(function* (gameId, index) {
      // Null if the game has no deployment, or its changelog could not be read.
      const head = Result.getOrElse(yield* Effect.result(changelogHead(gameId)), () => null)
      // `index` identifies the game for runners that get no names.
      return { index, gameId, head, weight: yield* weigh(gameId) }
    }),
    { concurrency: 4 }
  )
  const known = planned.flatMap(({ weight }) => weight?.requests ?? [])
  const requests = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
  return {
    night,
    home: store.address,
    games: planned,
    /** Total requests of the games' last readings, as far as known. */
    requests,
    /** Requests a minute as stated in the answers; null if they state no limit. */
    limit: marketplace.rateLimit()?.limit ?? null,
    /** Min duration of a night, with any number of machines: its requests at the limits of the key. */
    secondsAtLeast: requests === null ? null : marketplace.secondsOfNight(requests)
  }
})

export type PlannedNight = Effect.Success<ReturnType<typeof runPlan>>
