import { Effect, Option } from "effect"
import { fetchDocument, isLost, MonthOfRuns, type ReportRef } from "../../../store/home/bucket/documents.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { readGame } from "../../../store/home/bucket/gameInBucket.ts"
import { readOrRepairLake } from "../../../store/home/bucket/repair/mendDocuments.ts"
import { RunId } from "../../../feed/contract/Ids.ts"
import type { RunReport } from "../../observe/RunReport.ts"
import { reportInBucket } from "./partOfNight.ts"

export interface GameWeight {
  readonly deploymentId: string | null
  /** Requests of the complete reading, including those of an interrupted earlier run. */
  readonly requests: number | null
  readonly products: number | null
  readonly seconds: number
}

/** Max runs that are searched for games whose commits name no reading. */
const runsLookedAt = 100

/** A report, and the game whose commit names it; null: the lake. */
type FoundReport = readonly [gameId: string | null, ref: ReportRef]

const newestFirst = ([, a]: FoundReport, [, b]: FoundReport) => (a.run < b.run ? 1 : -1)

/** Returns the cost of a game that a night has read completely; null otherwise. */
const weightIn = ({ games, kind }: RunReport, gameId: string): GameWeight | null => {
  const game = games.find((one) => one.gameId === gameId)
  if (kind !== "nightly" || game === undefined || game.verdict === "failed" || game.products === null) return null
  const { deploymentId, products, requests, resumedPages = 0, seconds } = game
  return { deploymentId, requests: requests === undefined ? null : requests + resumedPages, products, seconds }
}

/** The costs of games in the last night that read each. A report is fetched once and shared. */
export const gameWeights = Effect.fnUntraced(function* (store: BucketStore) {
  const fetched = new Map<RunId, Effect.Effect<Option.Option<RunReport>>>()
  const loadReport = Effect.fnUntraced(function* ([gameId, ref]: FoundReport) {
    const known = fetched.get(ref.run) ?? (yield* Effect.cached(Effect.option(reportInBucket(store, gameId, ref))))
    fetched.set(ref.run, known)
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
    const head = yield* Effect.catchIf(readGame(store, gameId), isLost, () => Effect.succeed(null))
    if (head === null) return null
    const { part, report } = head.commit
    const gameReports = [part?.report, report]
      .flatMap((ref): ReadonlyArray<FoundReport> => (ref == null ? [] : [[gameId, ref]]))
      .toSorted(newestFirst)
    return (yield* findWeight(gameReports, gameId)) ?? (yield* findWeight(yield* runs, gameId))
  })
})

/** Returns the last runs that the lake lists, newest first. */
const lastRuns = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = (yield* readOrRepairLake(store))?.commit
  const found: Array<FoundReport> = []
  const months = Object.entries(lake?.runs ?? {}).toSorted(([a], [b]) => (a < b ? 1 : -1))
  for (const [, ref] of months) {
    if (found.length >= runsLookedAt) break
    const list = yield* Effect.option(fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns }))
    const { attempt, runs } = Option.getOrElse(list, () => ({ attempt: "", runs: {} }))
    const refs = Object.entries(runs).map(([run, [sum, size, by = attempt]]): FoundReport => [
      null,
      { run: RunId.make(run), file: [sum, size, by] }
    ])
    found.push(...refs.toSorted(newestFirst))
  }
  return found.slice(0, runsLookedAt)
})
