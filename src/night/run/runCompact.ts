import { join } from "node:path"
import { DateTime, Effect, Number } from "effect"
import { compactMonth, monthsToCompact, type MonthPlan } from "../../store/lake/history/compactMonth.ts"
import { measureBytes } from "../../store/home/disk.ts"
import { Home, withBackfills, withPublications } from "../../store/home/Home.ts"
import { gameOfWork, tellWork } from "../../store/home/WorkProgress.ts"
import { priceTables } from "../../feed/schema/partTables.ts"
import { storeBackfill } from "../../store/lake/backfill/storeBackfill.ts"
import { publishLake, beginRun } from "./beginRun.ts"
import { tidyHistory } from "../../store/lake/history/tidyHistory.ts"
import { GameNotInLake } from "../../store/lake/publish/openLake.ts"

/** Merges nights into months (no games: all), publishes the lake with them, then deletes the nights' files. */
export const runCompact = Effect.fn("runCompact")(function* (games: ReadonlyArray<string>) {
  const { current, lock, run } = yield* beginRun("compact")
  const known = Object.keys(current.games).sort()
  const unknown = games.filter((game) => !known.includes(game))
  if (unknown.length > 0) return yield* new GameNotInLake({ wanted: unknown, games: known })
  const wanted = games.length > 0 ? [...new Set(games)] : known
  const found = yield* Effect.forEach(wanted, (gameId) => monthsToCompact(current, gameId))
  const plans = found.filter((months) => months.length > 0)
  const before = yield* Effect.forEach(plans, bytesOfMonths)
  const months = plans.flat()
  const parts = yield* Effect.forEach(plans, (ofGame) =>
    Effect.forEach(ofGame, (plan) =>
      compactMonth(run, plan).pipe(gameOfWork(plan.gameId, { index: months.indexOf(plan), of: months.length + 1 }))
    )
  )
  if (months.length > 0) yield* tellWork(null, months.length / (months.length + 1))
  const gathered = yield* Effect.forEach(wanted, (gameId) => storeBackfill(run, gameId, true))
  const added = new Map(
    gathered.flatMap((taken, index) => (taken?.answers ? [[wanted[index] ?? "", taken] as const] : []))
  )
  const at = DateTime.formatIso(yield* DateTime.now)
  const next = withPublications(current, withBackfills(current, [], { run, at, added }))
  if (parts.length > 0 || gathered.some((taken) => taken !== null)) yield* publishLake(run, next, lock)
  yield* tidyHistory(run, current)
  const after = yield* Effect.forEach(plans, bytesOfMonths)
  const compacted = plans.map((months, index) => ({
    gameId: months[0]?.gameId ?? "",
    months: months.map(({ month }) => month),
    /** Nights whose own files were merged into a month. */
    nights: months.flatMap(({ nights }) => nights).filter((night) => night.pricesIn === null).length,
    /** Price rows of these months. */
    rows: Number.sumAll(
      (parts[index] ?? []).flatMap(({ part }) => priceTables.map(({ name }) => part.tables[name]?.rows ?? 0))
    ),
    bytesBefore: before[index] ?? 0,
    bytesAfter: after[index] ?? 0
  }))
  return { run, games: compacted }
}, Effect.scoped)

/** The result for one game. Bytes count the nights' own price files and the months, before and after it. */
export type CompactedGame = Effect.Success<ReturnType<typeof runCompact>>["games"][number]

const bytesOfMonths = Effect.fnUntraced(function* (months: ReadonlyArray<MonthPlan>) {
  const home = yield* Home
  const paths = months.flatMap(({ gameId, month, nights }) => [
    join(home.months(gameId), `month=${month}`),
    ...nights.flatMap(({ snapshot }) =>
      priceTables.map(({ name }) => join(home.snapshot(gameId, snapshot), `${name}.parquet`))
    )
  ])
  return Number.sumAll(yield* Effect.forEach(paths, measureBytes))
})
