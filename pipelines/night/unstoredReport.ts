import type { RunReport } from "../../src/night/observe/RunReport.ts"
import { unreadReport } from "../../src/night/run/gameReport.ts"

/** Of a game that was read, and is not in the bucket. */
const unstored = "It was read, and could not be put into the bucket. Run it again: cardlake nightly"

/** What a night that was read and could not be put into its bucket says of its games: none of them is published. */
export const unstoredReport = (report: RunReport, reason: string): RunReport => ({
  ...report,
  verdict: "failed",
  reason,
  games: report.games.map((game) =>
    game.verdict === "failed"
      ? game
      : unreadReport({
          gameId: game.gameId,
          verdict: "failed",
          reason: unstored,
          snapshot: game.verdict === "published" ? null : game.snapshot,
          seconds: game.seconds
        })
  )
})
