import { hash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { unpack } from "../../../feed/client/RawBody.ts"
import { chooseDialect } from "../../../feed/contract/dialect/DialectFile.ts"
import type { Extraction, RawPage } from "../../../feed/reading/Extraction.ts"
import type { FeedPage } from "../../../feed/reading/feeds/usedFeeds.ts"
import type { HomePaths } from "../../home/homePaths.ts"
import type { SentPage } from "../../../feed/rows/parsePage.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"

/** A raw page does not match its stored checksum. */
export class RawPageDamaged extends Schema.TaggedError<RawPageDamaged>()("RawPageDamaged", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The raw page ${this.file} is damaged (${this.reason}), so its snapshot cannot be rebuilt. Check the disk, or restore the file from a backup`
  }
}

/** Reads the bytes of an extraction's page. Fails if they do not match their checksum. */
export const readRawPage = Effect.fnUntraced(function* (folder: string, page: RawPage) {
  const file = joinBelow(folder, page.file)
  yield* download(file)
  const bytes = yield* lakeStep(`Read ${file}`, (disk) => disk.read(file))
  if (matchesSum(page, bytes)) return bytes
  // The first readings recorded the checksum of the uncompressed body.
  const body = Result.getOrNull(unpack(bytes, "gzip", true))
  if (body !== null && matchesSum(page, body.plain)) return bytes
  return yield* new RawPageDamaged({ file, reason: "its sha256 has changed since it was read" })
})

const matchesSum = ({ sha256 }: RawPage, bytes: Uint8Array): boolean => hash("sha256", bytes, "hex") === sha256

/** Returns the path of a feed file, in the folder of the reading that downloaded it. */
export const rawFeedPath = (home: HomePaths, { gameId, runId }: Extraction, { feed, file }: FeedPage): string =>
  joinBelow(home.raw(gameId, feed.run ?? runId), file)

/** Returns the number of a page in its list: `pages/products-000012.json.gz` is 12. */
export const parsePageNumber = (file: string): number => Number(/-(\d+)\.json\.gz$/.exec(file)?.[1] ?? 0)

export const openRawPage = (extraction: Extraction, { file, kind }: RawPage, bytes: Uint8Array): SentPage => ({
  kind,
  gameId: extraction.gameId,
  dialect: chooseDialect(extraction),
  number: parsePageNumber(file),
  bytes,
  encoding: "gzip",
  mayBeLarge: true,
  key: "",
  expects: null,
  leftOut: []
})
