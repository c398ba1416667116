import { Effect, Option } from "effect"
import { lastCommittedRun, wasPublished, type Current } from "../src/lake/Current.ts"
import { Home } from "../src/lake/Home.ts"
import { runsWithReport } from "../src/lake/runFiles.ts"
import { writeJson } from "../src/lake/writeFile.ts"
import { readReport } from "./readReport.ts"
import { RunReport, worstOf, type GameReport } from "./RunReport.ts"

const died = "The run ended before it had published. Nothing of it is in the lake; run it again: cardlake nightly"

/** A report is written before the commit: those that claim what never came about are put right. One that cannot be read claims nothing. */
export const mendReports = Effect.fn("mendReports")(function* (current: Current) {
  const home = yield* Home
  const last = lastCommittedRun(current)
  for (const run of (yield* runsWithReport).filter((run) => run > last)) {
    const report = Option.getOrNull(yield* Effect.option(readReport(run)))
    if (report === null) continue
    const games = report.games.map((game): GameReport =>
      game.verdict === "published" && !wasPublished(current, game.gameId, game.snapshot ?? "")
        ? { ...game, verdict: "failed", reason: died, snapshot: current.games[game.gameId]?.snapshot ?? null }
        : game
    )
    const isWrong = games.some((game, index) => game !== report.games[index])
    if (isWrong) yield* writeJson(home.run(run), RunReport, { ...report, games, verdict: worstOf(games) })
  }
})
