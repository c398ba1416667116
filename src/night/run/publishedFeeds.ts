import { DateTime, Effect, Option } from "effect"
import type { DeploymentId } from "../../feed/contract/Ids.ts"
import { runsWithReport } from "../../store/home/runFiles.ts"
import { readReport } from "../observe/readReport.ts"
import type { Page } from "../../feed/client/RawBody.ts"
import { isAhead } from "../../store/diff/rules/clock.ts"
import type { SnapshotFolder } from "../../store/home/Manifest.ts"
import type { Extraction } from "../../feed/reading/Extraction.ts"
import type { PublishedFeeds } from "../../feed/reading/feeds/usedFeeds.ts"
import { isListedAs } from "./isSameReading.ts"

/** What is published of a game, as a reading by feed files compares itself with it; `before`: the reading it was made from. */
export const publishedFeeds = Effect.fnUntraced(function* (
  previous: SnapshotFolder | null,
  before: Extraction | null,
  games: Page<null>
) {
  if (previous === null) return null
  const { manifest } = previous
  const now = { extractedAt: DateTime.formatIso(yield* DateTime.now) }
  const isCurrent = before !== null && !isAhead(manifest, now) && (yield* isListedAs(before, games))
  return { deploymentId: manifest.deploymentId, feeds: manifest.feeds ?? null, isCurrent } satisfies PublishedFeeds
})

/** Reports in which a game is looked for; before them, it was not read for a month. */
const maxReports = 30

/**
 * Whether the last night that read a game had waited for a deployment which its feed files then still did not show. They
 * are not waited for again: tonight they show what they show.
 */
export const waitedInVain = Effect.fnUntraced(
  function* (gameId: string, head: DeploymentId) {
    const runs = (yield* runsWithReport).toReversed().slice(0, maxReports)
    for (const run of runs) {
      const report = Option.getOrNull(yield* Effect.option(readReport(run)))
      const game = report?.games.find((one) => one.gameId === gameId && one.products !== null)
      if (report?.kind === "nightly" && game !== undefined) return game.unshown === head
    }
    return false
  },
  Effect.orElseSucceed(() => false)
)
