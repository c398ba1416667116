import { Effect, Option } from "effect"
import { lastCommittedRun, type Current, Home } from "../../store/home/Home.ts"
import { runsWithReport } from "../../store/home/runFiles.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { StandIns } from "../../feed/reading/StandIns.ts"
import { readReport } from "../observe/readReport.ts"
import { RunReport, worstOf, type GameReport } from "../observe/RunReport.ts"

const died = "The run ended before it had published. None of it is in the lake; run it again: cardlake nightly"

/**
 * A report is written before the commit: corrects those that claim what never happened. One that cannot be read
 * claims nothing. Only the last one can be wrong: its run had checked those before it.
 */
export const correctReports = Effect.fn("correctReports")(function* (current: Current) {
  const home = yield* Home
  const standIns = yield* StandIns
  const last = lastCommittedRun(current)
  for (const run of (yield* runsWithReport).filter((run) => run > last).toReversed()) {
    // A stored report was stored with its commit, perhaps of games that are not here.
    if (standIns?.isStored(home.run(run)) === true) return
    const report = Option.getOrNull(yield* Effect.option(readReport(run)))
    if (report === null) continue
    const games = report.games.map((game): GameReport =>
      game.verdict === "published"
        ? { ...game, verdict: "failed", reason: died, snapshot: current.games[game.gameId]?.snapshot ?? null }
        : game
    )
    const isWrong = games.some((game, index) => game !== report.games[index])
    if (isWrong) yield* writeJson(home.run(run), RunReport, { ...report, games, verdict: worstOf(games) })
    // One without a game belongs to a run that died, perhaps before it checked.
    if (games.length > 0) return
  }
})
