import { Effect, Number, Clock, Record } from "effect"
import type { RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { compactMonth, monthsToRetain } from "../../store/lake/history/compactMonth.ts"
import { wasPublished, Home, readCurrent, type Current } from "../../store/home/Home.ts"
import { measureBytes, isThere, removeAll } from "../../store/home/disk.ts"
import {
  storeDrift,
  storeConfirmations,
  tidyHistory,
  type RetentionRules,
  reportsToRemove,
  retained
} from "../../store/lake/history/tidyHistory.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { publishLake, beginRun } from "./beginRun.ts"
import { removeFolder } from "../../store/home/setAside.ts"
import { readReport } from "../observe/RunReport.ts"
import { listRawRuns } from "../../feed/contract/Via.ts"
import { runMillis, runsWithReport } from "../../store/home/newRunId.ts"
import type { Night } from "../../store/lake/history/nights.ts"
import { priceTables } from "../../feed/schema/partTables.ts"
import { prunableAnswers } from "../../store/lake/backfill/storeBackfill.ts"
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

const sumBytes = (paths: ReadonlyArray<string>) => Effect.map(Effect.forEach(paths, measureBytes), Number.sumAll)

/** Returns what the rules would delete, with the folders of each game, and the raw answers of backfills by age alone. */
const makePlan = Effect.fn("planPrune")(function* (rules: RetentionRules) {
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
      const folders = [
        ...ids.flatMap((snapshot) => [home.snapshot(gameId, snapshot), home.changes(gameId, snapshot)]),
        ...rawRuns.map((runId) => home.raw(gameId, runId))
      ]
      const months = yield* monthsToRetain(current, gameId, ids)
      const staying = months.flatMap(({ nights }) => nights).flatMap(listPriceFiles)
      const bytes = (yield* sumBytes(folders)) - (yield* sumBytes(staying))
      return { kept, folders, plan: { gameId, kept: manifests.length - ids.length, removed: ids, rawRuns, bytes } }
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
  const plans: ReadonlyArray<PrunedGame> = games.map((game) => game.plan)
  const answers = rules.days === null ? [] : yield* prunableAnswers(now - rules.days * 24 * 3600 * 1000)
  const otherBytes = yield* sumBytes([...reports.map(home.run), ...answers])
  const bytes = Number.sumAll(plans.map((plan) => plan.bytes)) + otherBytes
  // The history has the answers.
  const plan = { games: plans, answers: answers.length, reports, bytes }
  return { plan, folders: games.map((game) => game.folders), answers, otherBytes }
})

/** Returns what the rules would delete, without deleting. */
export const planPrune = (rules: RetentionRules) => Effect.map(makePlan(rules), ({ plan }) => plan)

export type PrunePlan = Effect.Success<ReturnType<typeof planPrune>>

/** Returns the price files that move from a snapshot to its month. */
const listPriceFiles = (night: Night): ReadonlyArray<string> =>
  night.pricesIn === null ? priceTables.flatMap(({ name }) => night.file(`${name}.parquet`) ?? []) : []

/** Returns the published state without a plan's snapshots. The history remains complete. */
const withoutPruned = (current: Current, games: ReadonlyArray<PrunedGame>): Current => {
  const removed = new Map(games.map((game) => [game.gameId, new Set(game.removed)]))
  const prunedOf = ({ published, snapshot }: Current["games"][string], gameId: string) => ({
    snapshot,
    published: published.filter((one) => removed.get(gameId)?.has(one) !== true)
  })
  return { ...current, games: Record.map(current.games, prunedOf) }
}

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
  const { answers, folders, otherBytes, plan } = yield* makePlan(rules)
  const next = withoutPruned(current, plan.games)
  const measured = Effect.forEach(plan.games, ({ gameId }, index) =>
    sumBytes([...(folders[index] ?? []), home.months(gameId)])
  )
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
  const games = plan.games.map((game, at): PrunedGame =>
    Object.assign({}, game, { bytes: (before[at] ?? 0) - (after[at] ?? 0) })
  )
  return { ...plan, games, bytes: Number.sumAll(games.map((game) => game.bytes)) + otherBytes }
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
