import { DateTime, Effect } from "effect"
import type { Page } from "../../feed/client/RawBody.ts"
import { isAhead } from "../../store/diff/rules/clock.ts"
import type { SnapshotFolder } from "../../store/home/Manifest.ts"
import type { Extraction } from "../../feed/reading/Extraction.ts"
import type { PublishedFeeds } from "../../feed/reading/feeds/PublishedFeeds.ts"
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
