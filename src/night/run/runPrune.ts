import { Effect, Number, Clock } from "effect"
import type { RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { compactMonth, monthsToRetain } from "../../store/lake/history/compactMonth.ts"
import { wasPublished, Home, readCurrent, type Current } from "../../store/home/Home.ts"
import { measureBytes, isThere, removeAll } from "../../store/home/disk.ts"
import { storeDrift, storeConfirmations, tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { publishLake, beginRun } from "./beginRun.ts"
import { removeFolder } from "../../store/home/setAside.ts"
import { type RetentionRules, reportsToRemove, retained } from "../../store/lake/history/retention.ts"
import { readReport } from "../observe/RunReport.ts"
import { listRawRuns } from "../../feed/contract/Via.ts"
import { runMillis, runsWithReport } from "../../store/home/newRunId.ts"
import type { Night } from "../../store/lake/history/nights.ts"
import { priceTables } from "../../feed/schema/partTables.ts"
import { prunableAnswers } from "../../store/lake/backfill/backfillDamages.ts"
import { gamesWithSnapshots, readSnapshots } from "../../store/home/Manifest.ts"

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

/**
 * Deletes what the rules do not keep, or only reports it. Safe to kill: prices, versions and readings are copied first,
 * then the lake is published, then files are deleted. Freed bytes are net; a dry run estimates them.
 */
export const runPrune = Effect.fn("runPrune")(function* (rules: RetentionRules, isDryRun: boolean) {
  if (isDryRun && !isThere((yield* Home).root)) return yield* noLake
  if (isDryRun) return { isDryRun, ...(yield* planPrune(rules)) }
  return { isDryRun, ...(yield* prune(rules)) }
})

const prune = Effect.fnUntraced(function* (rules: RetentionRules) {
  const home = yield* Home
  const { current, lock, run } = yield* beginRun("prune")
  const plan: PrunePlan = yield* planPrune(rules)
  const next = withoutPruned(current, plan)
  const folders = yield* Effect.forEach(plan.games, listFolders)
  const measured = Effect.forEach(plan.games, ({ gameId }, index) =>
    Effect.map(Effect.forEach([...(folders[index] ?? []), home.months(gameId)], measureBytes), Number.sumAll)
  )
  const reportBytes = Number.sumAll(yield* Effect.forEach(plan.reports, (report) => measureBytes(home.run(report))))
  const answers = yield* answersToPrune(rules)
  const answerBytes = Number.sumAll(yield* Effect.forEach(answers, measureBytes))
  const before = yield* measured
  for (const { gameId, removed } of plan.games) {
    const published = removed.filter((snapshot) => wasPublished(current, gameId, snapshot))
    for (const month of yield* monthsToRetain(current, gameId, published)) yield* compactMonth(run, month)
    yield* storeDrift(run, gameId, published)
  }
  yield* keepUnchanged(plan.reports)
  // Reports are read only for the lake's tables of runs and readings, which were just rebuilt.
  yield* removeAll("Remove run reports", plan.reports.map(home.run))
  if (plan.reports.length > 0 || folders.flat().length > 0) yield* publishLake(run, next, lock)
  yield* Effect.forEach(folders.flat(), (folder) => removeFolder(run, folder), { discard: true })
  yield* removeAll("Remove answers of backfills", answers)
  yield* tidyHistory(run, next)
  const after = yield* measured
  const games: ReadonlyArray<PrunedGame> = plan.games.map((game, index) => ({
    ...game,
    bytes: (before[index] ?? 0) - (after[index] ?? 0)
  }))
  return { ...plan, games, bytes: Number.sumAll(games.map((game) => game.bytes)) + reportBytes + answerBytes }
}, Effect.scoped)

/** Saves the unchanged nights of these reports. */
const keepUnchanged = Effect.fnUntraced(function* (runs: ReadonlyArray<RunId>) {
  const reports = yield* Effect.forEach(runs, readReport, { concurrency: 8 })
  const found = reports.flatMap(({ games, startedAt }) =>
    games.flatMap(({ dialect = "spec", gameId, snapshot, verdict }) =>
      verdict === "unchanged" && snapshot !== null ? [{ gameId, snapshot, seenAt: startedAt, dialect }] : []
    )
  )
  for (const [gameId, confirmations] of Map.groupBy(found, (one) => one.gameId)) {
    yield* storeConfirmations(gameId, confirmations)
  }
})
