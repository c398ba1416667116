import { Effect, Number } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { compactMonth } from "../../store/lake/history/compactMonth.ts"
import { wasPublished, Home } from "../../store/home/Home.ts"
import { measureBytes, isThere, removeAll } from "../../store/home/disk.ts"
import { storeDrift, storeConfirmations } from "../../store/lake/history/storeBeforePrune.ts"
import { monthsToRetain } from "../../store/lake/history/planMonths.ts"
import { noLake } from "../../store/lake/publish/openLake.ts"
import { publishLake } from "./publishLake.ts"
import { removeFolder } from "../../store/home/setAside.ts"
import type { RetentionRules } from "../../store/lake/history/retention.ts"
import { tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { beginRun } from "./beginRun.ts"
import { answersToPrune, listFolders, planPrune, withoutPruned, type PrunedGame, type PrunePlan } from "./planPrune.ts"
import { readReport } from "../observe/listRuns.ts"

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
