import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { dialectOf } from "../../contract/dialectFrom.ts"
import type { FeedKind } from "../../contract/records.ts"
import { Home } from "../../home/Home.ts"
import { LakeError } from "../../home/LakeError.ts"
import type { Extraction } from "../../reading/Extraction.ts"
import { parseFeed } from "../../reading/feeds/parseFeed.ts"
import type { FeedPage } from "../../reading/feeds/usedFeeds.ts"
import { feedFolders } from "../../rows/feedFolders.ts"
import type { Refusal } from "../../rows/Refusal.ts"
import { shredRound } from "../../rows/shredRound.ts"
import { RawPageDamaged, rawFeedOf } from "./readRawPage.ts"
import { RecordsDiffer } from "./RecordsDiffer.ts"

/** Shreds a reading's feed file from the disk. A line that was refused stays out, as a page's record does. */
export const shredFeed = Effect.fnUntraced(function* (
  extraction: Extraction,
  page: FeedPage,
  { folder, leftOut }: { readonly folder: string; readonly leftOut: ReadonlyArray<number> }
) {
  const { gameId } = extraction
  const kind = page.kind as FeedKind
  const file = rawFeedOf(yield* Home, extraction, page)
  const damaged = (reason: string) => new RawPageDamaged({ file, reason })
  if (!existsSync(file)) return yield* damaged("it is gone")
  const lines = { folder: join(folder, feedFolders[kind]), isWhole: false }
  const round = yield* shredRound(lines)
  const dialect = dialectOf(extraction)
  const parsed = yield* Effect.mapError(
    parseFeed(round, { file, maxBytes: page.sizeBytes, kind, gameId, name: page.file, dialect, leftOut }),
    damaged
  )
  if (parsed.checksum !== page.feed.checksum) return yield* damaged("its checksum has changed since it was read")
  const cause = yield* round.end
  if (cause !== null) return yield* new LakeError({ step: `Write the records of ${file}`, cause })
  if (parsed.refused <= page.refused) return
  const found = parsed.refusals.map((line) => JSON.parse(line) as Pick<Refusal, "index" | "reason">)
  const first = found.find(({ index }) => !leftOut.includes(index))
  return yield* new RecordsDiffer({
    page: file,
    refused: page.refused,
    refusedNow: parsed.refused,
    first: first === undefined ? "a line" : `line ${first.index + 1}: ${first.reason}`
  })
})
