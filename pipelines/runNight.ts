import { rm } from "node:fs/promises"
import { Clock, DateTime, Effect, Random, Schema, Semaphore } from "effect"
import { listGames } from "../src/extract/listGames.ts"
import { readCurrent, type Current } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import { isFolderName } from "../src/lake/homePaths.ts"
import { lakeStep } from "../src/lake/LakeError.ts"
import { publish } from "../src/lake/publish.ts"
import { readSnapshot } from "../src/lake/snapshots.ts"
import { writeJson } from "../src/lake/writeFile.ts"
import { homeWritable } from "./homeWritable.ts"
import { nightEvent } from "./nightEvent.ts"
import type { NightProgress } from "./NightProgress.ts"
import { readGame } from "./readGame.ts"
import { RunReport, worstOf, type GameReport } from "./RunReport.ts"
import { watchGame } from "./watchGame.ts"

/** A game was asked for that the marketplace does not offer. */
export class GameUnknown extends Schema.TaggedError<GameUnknown>()("GameUnknown", {
  wanted: Schema.Array(Schema.String),
  offered: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The marketplace has no game ${this.wanted.join(", ")}. It has: ${this.offered.join(", ")}`
  }
}

/** Games that are read at the same time; they share one rate budget. */
const gamesAtOnce = 3

/** Sorts by time: `20261121T001500123Z-3f9a`. */
const newRunId = Effect.gen(function* () {
  const now = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:.]/g, "")
  const suffix = yield* Random.nextIntBetween(0, 0x10000)
  return `${now}-${suffix.toString(16).padStart(4, "0")}`
})

/**
 * The night: every game (or those named) is extracted, loaded, compared and judged; then the lake is swapped once for all of them.
 * A game that fails or is held leaves its published snapshot as it is. The report is also `<home>/runs/<run>.json`.
 */
export const runNight = Effect.fn("runNight")(function* (games: ReadonlyArray<string>, onProgress: NightProgress) {
  const home = yield* Home
  const startedMillis = yield* Clock.currentTimeMillis
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  const run = yield* newRunId
  yield* homeWritable
  const current = yield* readCurrent
  const { games: offered, page } = yield* listGames
  const offeredIds = offered.map((game) => game.id)
  const unknown = games.filter((game) => !offeredIds.includes(game))
  if (unknown.length > 0) return yield* new GameUnknown({ wanted: unknown, offered: offeredIds })
  const wanted = (games.length > 0 ? games : offeredIds).filter(isFolderName)
  yield* Effect.annotateCurrentSpan("cardlake.run", run)
  yield* nightEvent("run", { run, games: wanted })

  const loading = yield* Semaphore.make(1)
  const reports = yield* Effect.forEach(
    wanted,
    Effect.fnUntraced(function* (gameId) {
      const live = current.games[gameId]
      const previous = live === undefined ? null : yield* readSnapshot(home.snapshot(gameId, live.snapshot))
      return yield* watchGame({ run, gameId, onProgress }, (onProgress) =>
        readGame({ gameId, runId: run, games: page, previous, loading, onProgress })
      )
    }),
    { concurrency: gamesAtOnce }
  )

  const report = Effect.map(Clock.currentTimeMillis, (now): RunReport => ({
    run,
    startedAt,
    verdict: worstOf(reports),
    seconds: (now - startedMillis) / 1000,
    games: reports
  }))
  const fresh = reports.filter((game) => game.verdict === "published")
  yield* writeJson(home.run(run), RunReport, yield* report)
  if (fresh.length > 0) yield* publish(run, withSnapshots(current, fresh, run))
  yield* lakeStep("Clean up", () => rm(home.work(run), { recursive: true, force: true }))
  const final = yield* report
  yield* writeJson(home.run(run), RunReport, final)
  return final
})

const withSnapshots = (current: Current, fresh: ReadonlyArray<GameReport>, run: string): Current => ({
  games: {
    ...current.games,
    ...Object.fromEntries(
      fresh.map(({ gameId }) => [
        gameId,
        { snapshot: run, published: [...(current.games[gameId]?.published ?? []), run] }
      ])
    )
  }
})
