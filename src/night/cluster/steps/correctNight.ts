import { Effect } from "effect"
import { removeAll } from "../../../store/home/disk.ts"
import type { Overtaken } from "../../../store/home/bucket/checkIn.ts"
import { homePaths } from "../../../store/home/homePaths.ts"
import { writeJson } from "../../../store/home/jsonFile.ts"
import { RunReport, worstVerdict, type GameReport } from "../../observe/RunReport.ts"

/** Corrects a report after a conflict: drops games to read again, marks equal results as `unchanged`. */
export const correctNight = Effect.fnUntraced(function* (
  root: string,
  report: RunReport,
  { conflicts, same }: Overtaken
) {
  const games = report.games
    .filter(({ gameId }) => !conflicts.includes(gameId))
    .map((game): GameReport => {
      const snapshot = same.get(game.gameId)
      return snapshot === undefined
        ? game
        : Object.assign({}, game, { verdict: "unchanged", reason: null, snapshot, changes: null } as const)
    })
  const settled: RunReport = { ...report, games, verdict: worstVerdict(games) }
  const file = homePaths(root).run(report.run)
  if (games.length === 0) yield* removeAll("Remove a report of nothing", [file])
  else yield* writeJson(file, RunReport, settled)
  return settled
})

/** Merges the reports of a night that had to read some of its games again. */
export const oneNight = (first: RunReport, second: RunReport): RunReport => {
  const games = [...first.games, ...second.games]
  return { ...first, run: second.run, games, verdict: worstVerdict(games), seconds: first.seconds + second.seconds }
}
