import { Effect } from "effect"
import type { NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"
import type { LakeError } from "../../src/feed/reading/LakeError.ts"
import type { RunReport } from "../../src/night/observe/RunReport.ts"
import { unreadReport } from "../../src/night/run/gameReport.ts"
import { oneNight, settleNight } from "../../src/night/cluster/steps/settleNight.ts"

interface ReportedNight<S> {
  readonly report: RunReport
  readonly services: S
}

/** A night goes on from the newest state of its games; what it has in common with another runner's is one night. */
export const nightWork = <S>(
  games: ReadonlyArray<string>,
  partOf?: NightId
): Work<ReportedNight<S>, LakeError, never> => ({
  need: { games: games.length === 0 ? null : games, of: "newest", folders: "night", runs: "recent" },
  isFirst: true,
  writes: {
    kind: "night",
    ...(partOf === undefined
      ? {}
      : {
          part: {
            night: partOf,
            verdictOf: ({ report }, gameId) =>
              report.games.find((game) => game.gameId === gameId)?.verdict ?? report.verdict
          }
        }),
    again: "lost",
    settle: (root, done, overtaken) =>
      Effect.map(settleNight(root, done.report, overtaken), (report) => ({ ...done, report })),
    together: (first, second) => ({ ...second, report: oneNight(first.report, second.report) })
  }
})

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
