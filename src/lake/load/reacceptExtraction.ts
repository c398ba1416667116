import { Effect, Schema } from "effect"
import type { RunId } from "../../contract/Ids.ts"
import { acceptPage } from "../../extract/acceptPage.ts"
import { Extraction, type PageKind, type RawPage } from "../../extract/Extraction.ts"
import { makeRawFiles } from "../../extract/RawFiles.ts"
import { recordRules } from "../../extract/recordRules.ts"
import { refusalLines } from "../../extract/refusalLines.ts"
import { Home } from "../home/Home.ts"
import { readRawPage } from "./readRawPage.ts"

const encode = Schema.encodeEffect(Schema.fromJsonString(Extraction))

const acceptAgain = Effect.fnUntraced(function* (extraction: Extraction, page: RawPage) {
  const { gameId, runId } = extraction
  const body = yield* readRawPage((yield* Home).raw(gameId, runId), page)
  return { body, result: acceptPage(recordRules[page.kind], page.kind === "games" ? null : gameId, body) }
})

/** How many of an extraction's refused records the present contract still refuses. Looks only at pages with a refused record. */
export const stillRefused = Effect.fn("stillRefused")(function* (extraction: Extraction) {
  const pages = extraction.pages.filter((page) => page.refused > 0)
  const counts = yield* Effect.forEach(pages, (page) =>
    Effect.map(acceptAgain(extraction, page), ({ result }) => result.refusals.length)
  )
  return counts.reduce((sum, count) => sum + count, 0)
})

/** `pages/products-000012.json.gz` is page 12 of its list. */
const numberOf = (file: string): number => Number(/-(\d+)\.json\.gz$/.exec(file)?.[1] ?? 0)

/** The same pages as a reading of run `runId`, every record through the present contract. It lies beside the old one, whole by itself. */
export const reacceptExtraction = Effect.fn("reacceptExtraction")(function* (extraction: Extraction, runId: RunId) {
  const files = yield* makeRawFiles((yield* Home).raw(extraction.gameId, runId))
  const round = extraction.rounds
  const unknownKeys = new Map<string, Extraction["unknownKeys"][number]>()
  const pages: Array<RawPage> = []
  yield* files.startRound(round, extraction.deploymentId, extraction.startedAt)
  for (const page of extraction.pages) {
    const { body, result } = yield* acceptAgain(extraction, page)
    const kept = yield* files.keepPage(page.kind, numberOf(page.file), body, result)
    yield* files.keepRefusals(refusalLines(kept.file, result.refusals))
    pages.push(kept)
    for (const [path, records] of result.unknownKeys) {
      const key = `${page.kind} ${path}`
      unknownKeys.set(key, { kind: page.kind, path, records: records + (unknownKeys.get(key)?.records ?? 0) })
    }
  }
  const accepted = (kind: PageKind) =>
    pages.reduce((sum, page) => (page.kind === kind ? sum + page.records - page.refused : sum), 0)
  const again: Extraction = {
    ...extraction,
    runId,
    products: accepted("products"),
    expansions: accepted("expansions"),
    refused: pages.reduce((sum, page) => sum + page.refused, 0),
    unknownKeys: [...unknownKeys.values()],
    pages
  }
  yield* files.finish(yield* Effect.orDie(encode(again)))
  return again
}, Effect.scoped)
