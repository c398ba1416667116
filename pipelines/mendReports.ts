import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { lastCommittedRun, wasPublished, type Current } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import { lakeStep } from "../src/lake/LakeError.ts"
import { readJson, writeJson } from "../src/lake/writeFile.ts"
import { RunReport, worstOf, type GameReport } from "./RunReport.ts"

const died = "The run ended before it had published. Nothing of it is in the lake; run it again: cardlake nightly"

/** A report is written before the commit: those that claim what never came about are put right. */
export const mendReports = Effect.fn("mendReports")(function* (current: Current) {
  const home = yield* Home
  if (!existsSync(home.runs)) return
  const names = yield* lakeStep(`List ${home.runs}`, () => readdir(home.runs))
  const last = lastCommittedRun(current)
  for (const name of names.filter((name) => name.endsWith(".json") && name.slice(0, -5) > last)) {
    const path = join(home.runs, name)
    const report = yield* readJson(path, RunReport)
    const games = report.games.map((game): GameReport =>
      game.verdict === "published" && !wasPublished(current, game.gameId, game.snapshot ?? "")
        ? { ...game, verdict: "failed", reason: died, snapshot: current.games[game.gameId]?.snapshot ?? null }
        : game
    )
    const isWrong = games.some((game, index) => game !== report.games[index])
    if (isWrong) yield* writeJson(path, RunReport, { ...report, games, verdict: worstOf(games) })
  }
})
