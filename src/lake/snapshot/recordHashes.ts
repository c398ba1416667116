import { join } from "node:path"
import { Effect, Result } from "effect"
import { unpack } from "../../client/RawBody.ts"
import type { Dialect } from "../../contract/dialects.ts"
import { dialectOf } from "../../contract/dialectFrom.ts"
import type { FeedKind, PageKind } from "../../contract/records.ts"
import { Home } from "../../home/Home.ts"
import { readJson } from "../../home/jsonFile.ts"
import type { Manifest } from "../../home/Manifest.ts"
import { Extraction } from "../../reading/Extraction.ts"
import { rawNames } from "../../reading/RawFiles.ts"
import { parseFeed } from "../../reading/feeds/parseFeed.ts"
import { isFeedPage } from "../../reading/feeds/usedFeeds.ts"
import { parsePage, type SentPage } from "../../rows/parsePage.ts"
import { ofFeed } from "../../rows/shredLines.ts"
import type { PageRound } from "../../rows/shredRound.ts"
import { rawFeedOf, rawPageOf, readRawPage } from "../load/readRawPage.ts"

/** Ids by the entity that they are of. */
export type IdsOf = Readonly<Record<"product" | "expansion", ReadonlySet<number>>>

/** The lists with records that say more than their columns show, and how one becomes what is hashed. Of a catalogue's line columns show all. */
const lists = {
  products: { entity: "product", prepare: () => {} },
  expansions: { entity: "expansion", prepare: () => {} },
  feedExpansions: { entity: "expansion", prepare: ofFeed }
} as const

const isHashed = (kind: PageKind): kind is keyof typeof lists => kind in lists

/** Whether a page may hold a record with one of the ids: most do not, and need no contract. */
const mayHold = ({ bytes, encoding }: SentPage, ids: ReadonlySet<number>): boolean => {
  const text = Result.getOrNull(unpack(bytes, encoding, true))?.text ?? ""
  for (const [, id] of text.matchAll(/"id"\s*:\s*(\d+)/g)) if (ids.has(Number(id))) return true
  return false
}

/**
 * What records of a snapshot say besides prices, each as a hash, by `entity id`: made anew from its raw pages, of which
 * it has one in memory at a time. Fails if they are gone.
 */
export const recordHashes = Effect.fn("recordHashes")(function* (manifest: Manifest, ids: IdsOf) {
  const home = yield* Home
  const folder = home.raw(manifest.gameId, manifest.runId)
  const extraction = yield* readJson(join(folder, rawNames.extraction), Extraction)
  const { rowHashes } = yield* Effect.promise(() => import("../../rows/rowHashes.ts"))
  const found = new Map<string, string>()
  const sinkOf = (kind: keyof typeof lists) => (dialect: Dialect) => {
    const { entity, prepare } = lists[kind]
    const hashOf = rowHashes(dialect)[kind]
    return (record: Record<string, unknown>) => {
      if (!ids[entity].has(Number(record["id"]))) return
      prepare(record)
      found.set(`${entity} ${Number(record["id"])}`, hashOf(record))
    }
  }
  for (const page of extraction.pages) {
    const { kind } = page
    if (!isHashed(kind) || ids[lists[kind].entity].size === 0) continue
    const wanted = ids[lists[kind].entity]
    const round: PageRound = {
      parse: (sent) => Effect.sync(() => parsePage({ ...sent, isCounted: !mayHold(sent, wanted) }, sinkOf(kind))),
      end: Effect.succeed(null)
    }
    if (isFeedPage(page)) {
      const file = rawFeedOf(home, extraction, page)
      const of = { file, maxBytes: page.sizeBytes, kind: kind as FeedKind, gameId: extraction.gameId, name: page.file }
      yield* parseFeed(round, { ...of, dialect: dialectOf(extraction) })
      continue
    }
    const sent = rawPageOf(extraction, page, yield* readRawPage(folder, page))
    if (mayHold(sent, wanted)) parsePage(sent, sinkOf(kind))
  }
  return found
})
