import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { RunId } from "../../contract/Ids.ts"
import { Extraction, type RawPage } from "../../reading/Extraction.ts"
import type { PageKind } from "../../contract/records.ts"
import { makeRawFiles } from "../../reading/RawFiles.ts"
import { refusalLines } from "../../rows/refusalLines.ts"
import { parsePage } from "../../rows/parsePage.ts"
import { Home } from "../../home/Home.ts"
import { numberOf, rawPageOf, RawPageDamaged, readRawPage } from "./readRawPage.ts"

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))

/** Checks a page against the current contract. */
const acceptAgain = Effect.fnUntraced(function* (extraction: Extraction, page: RawPage) {
  const folder = (yield* Home).raw(extraction.gameId, extraction.runId)
  const bytes = yield* readRawPage(folder, page)
  const parsed = parsePage(rawPageOf(extraction, page, bytes), () => () => {})
  if (parsed._tag === "parsed") return { ...page, bytes, parsed, file: undefined }
  return yield* new RawPageDamaged({
    file: join(folder, page.file),
    reason: "what" in parsed ? parsed.what : "it is too large"
  })
})

/**
 * How many of an extraction's refused records the current contract
 * still refuses. Reads only pages with a refused record.
 */
export const stillRefused = Effect.fn("stillRefused")(function* (extraction: Extraction) {
  const pages = extraction.pages.filter((page) => page.refused > 0)
  const counts = yield* Effect.forEach(pages, (page) =>
    Effect.map(acceptAgain(extraction, page), ({ parsed }) => parsed.refusals.length)
  )
  return counts.reduce((sum, count) => sum + count, 0)
})

/**
 * The same pages as a reading of run `runId`, every record checked against
 * the current contract. It is beside the old one, and complete by itself.
 */
export const reacceptExtraction = Effect.fn("reacceptExtraction")(function* (extraction: Extraction, runId: RunId) {
  const files = yield* makeRawFiles((yield* Home).raw(extraction.gameId, runId))
  const round = extraction.rounds
  const unknownKeys = new Map<string, Extraction["unknownKeys"][number]>()
  const pages: Array<RawPage> = []
  yield* files.startRound(round, extraction.deploymentId, extraction.startedAt)
  for (const page of extraction.pages) {
    const again = yield* acceptAgain(extraction, page)
    const kept = yield* files.storePage(page.kind, numberOf(page.file), again)
    yield* files.storeRefusals(refusalLines(kept.file, again.parsed.refusals))
    pages.push(kept)
    for (const [path, records] of again.parsed.unknownKeys) {
      const key = `${page.kind} ${path}`
      unknownKeys.set(key, { kind: page.kind, path, records: records + (unknownKeys.get(key)?.records ?? 0) })
    }
  }
  const accepted = (kind: PageKind) =>
    pages.reduce((sum, page) => (page.kind === kind ? sum + page.records - page.refused : sum), 0)
  const whole: Extraction = {
    ...extraction,
    runId,
    products: accepted("products"),
    expansions: accepted("expansions"),
    refused: pages.reduce((sum, page) => sum + page.refused, 0),
    unknownKeys: [...unknownKeys.values()],
    pages
  }
  yield* files.finish(yield* Effect.orDie(encode(whole)))
  return whole
}, Effect.scoped)
