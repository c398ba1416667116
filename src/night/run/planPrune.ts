import { Clock, Effect, Number } from "effect"
import type { RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { readCurrent, type Current, Home } from "../../store/home/Home.ts"
import { measureBytes } from "../../store/home/disk.ts"
import { listRawRuns } from "../../feed/contract/Via.ts"
import { runMillis, runsWithReport } from "../../store/home/newRunId.ts"
import type { Night } from "../../store/lake/history/nights.ts"
import { priceTables } from "../../feed/schema/partTables.ts"
import { prunableAnswers } from "../../store/lake/backfill/backfillDamages.ts"
import { monthsToRetain } from "../../store/lake/history/planMonths.ts"
import { reportsToRemove, retained, type RetentionRules } from "../../store/lake/history/retention.ts"
import { gamesWithSnapshots, readSnapshots } from "../../store/home/Manifest.ts"
import { readReport } from "../observe/listRuns.ts"

/** Deletions in a game, oldest first. Prices that move into a month count as kept, at their current size. */
export interface PrunedGame {
  readonly gameId: string
  readonly kept: number
  readonly removed: ReadonlyArray<SnapshotId>
  /** Runs whose raw pages are deleted, because their snapshots are deleted, and no retained one uses the pages. */
  readonly rawRuns: ReadonlyArray<RunId>
  readonly bytes: number
}

/** Returns the folders that a prune deletes from a game. */
export const listFolders = Effect.fnUntraced(function* ({
  gameId,
  rawRuns,
  removed
}: Pick<PrunedGame, "gameId" | "rawRuns" | "removed">) {
  const home = yield* Home
  return [
    ...removed.flatMap((snapshot) => [home.snapshot(gameId, snapshot), home.changes(gameId, snapshot)]),
    ...rawRuns.map((runId) => home.raw(gameId, runId))
  ]
})

/** Returns what the rules would delete, without deleting. */
export const planPrune = Effect.fn("planPrune")(function* (rules: RetentionRules) {
  const home = yield* Home
  const current = yield* readCurrent
  const now = yield* Clock.currentTimeMillis
  const games = yield* Effect.forEach(
    yield* gamesWithSnapshots,
    Effect.fnUntraced(function* (gameId) {
      const manifests = (yield* readSnapshots(gameId)).map((snapshot) => snapshot.manifest)
      const kept = retained(rules, { current, gameId, manifests, nowMillis: now })
      const removed = manifests.filter((one) => !kept.all.has(one.snapshot))
      const used = new Set(manifests.filter((one) => kept.all.has(one.snapshot)).flatMap(listRawRuns))
      const rawRuns = removed.map((one) => one.runId).filter((runId) => !used.has(runId))
      const ids = removed.map((one) => one.snapshot)
      const folders = yield* listFolders({ gameId, removed: ids, rawRuns })
      const months = yield* monthsToRetain(current, gameId, ids)
      const staying = months.flatMap(({ nights }) => nights).flatMap(listPriceFiles)
      const bytes =
        Number.sumAll(yield* Effect.forEach(folders, measureBytes)) -
        Number.sumAll(yield* Effect.forEach(staying, measureBytes))
      return { kept, plan: { gameId, kept: manifests.length - ids.length, removed: ids, rawRuns, bytes } }
    })
  )
  const runs = (yield* runsWithReport).filter((run) => runMillis(run) !== null)
  const unneeded = reportsToRemove(
    current,
    runs,
    games.map((game) => game.kept)
  )
  // Reports that cannot be read are kept, because their unchanged nights cannot be saved.
  const reports = yield* Effect.filter(unneeded, (run) => Effect.isSuccess(readReport(run)))
  const reportBytes = Number.sumAll(yield* Effect.forEach(reports, (run) => measureBytes(home.run(run))))
  const plans = games.map((game) => game.plan)
  const answers = yield* answersToPrune(rules)
  const answerBytes = Number.sumAll(yield* Effect.forEach(answers, measureBytes))
  return {
    games: plans as ReadonlyArray<PrunedGame>,
    /** Raw answers of backfills that are in the history. */
    answers: answers.length,
    reports,
    bytes: Number.sumAll(plans.map((plan) => plan.bytes)) + reportBytes + answerBytes
  }
})

export type PrunePlan = Effect.Success<ReturnType<typeof planPrune>>

/** Returns the raw answers of backfills to delete, by age alone. */
export const answersToPrune = Effect.fnUntraced(function* ({ days }: RetentionRules) {
  if (days === null) return []
  return yield* prunableAnswers((yield* Clock.currentTimeMillis) - days * 24 * 3600 * 1000)
})

/** Returns the price files that move from a snapshot to its month. */
const listPriceFiles = (night: Night): ReadonlyArray<string> =>
  night.pricesIn === null ? priceTables.flatMap(({ name }) => night.file(`${name}.parquet`) ?? []) : []

/** Returns the published state without a plan's snapshots. The history remains complete. */
export const withoutPruned = (current: Current, plan: PrunePlan): Current => ({
  ...current,
  games: Object.fromEntries(
    Object.entries(current.games).map(([gameId, game]) => {
      const removed = plan.games.find((one) => one.gameId === gameId)?.removed ?? []
      return [gameId, { ...game, published: game.published.filter((snapshot) => !removed.includes(snapshot)) }]
    })
  )
})
