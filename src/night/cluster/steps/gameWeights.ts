import { Effect, Option } from "effect"
import { basename } from "node:path"
import type { BucketFailed } from "../../../store/home/bucket/BucketFailed.ts"
import { keyOfFile, reportsFolder } from "../../../store/home/bucket/bucketKeys.ts"
import { filesIn, isDamaged } from "../../../store/home/bucket/documents.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { openLake, readGame } from "../../../store/home/bucket/gameInBucket.ts"
import { readOrRepairLake } from "../../../store/home/bucket/repair/repairDocuments.ts"
import { RunId } from "../../../feed/contract/Ids.ts"
import type { RunReport } from "../../observe/RunReport.ts"
import { decodeReport } from "./partOfNight.ts"

export interface GameWeight {
  readonly deploymentId: string | null
  /** Requests of the complete reading, including those of an interrupted earlier run. */
  readonly requests: number | null
  readonly products: number | null
  readonly seconds: number
}

/** Max runs that are searched for games whose commits name no reading. */
const runsLookedAt = 100

/** A run, and the text of its report. */
type FoundReport = readonly [run: string, text: Effect.Effect<string, BucketFailed>]

const newestFirst = ([a]: FoundReport, [b]: FoundReport) => (a < b ? 1 : -1)

/** Returns the cost of a game that a night has read completely; null otherwise. */
const weightIn = ({ games, kind }: RunReport, gameId: string): GameWeight | null => {
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
