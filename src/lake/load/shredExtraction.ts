import { join } from "node:path"
import { Effect, Schema, Stream } from "effect"
import { withPageRoom, PageRoom } from "../../client/PageRoom.ts"
import type { Extraction, RawPage } from "../../reading/Extraction.ts"
import type { Refusal } from "../../rows/Refusal.ts"
import { readRefusals } from "../../reading/readExtraction.ts"
import type { RoundTaker } from "../../rows/PageTaker.ts"
import { Home } from "../../home/Home.ts"
import { LakeError } from "../../home/LakeError.ts"
import { RawPageDamaged, rawPageOf, readRawPage } from "./readRawPage.ts"
import { shredPages } from "../../rows/shredPages.ts"

/** The contract that a page was read with accepted other records than this one does. */
export class RecordsDiffer extends Schema.TaggedError<RecordsDiffer>()("RecordsDiffer", {
  page: Schema.String,
  refused: Schema.Int,
  refusedNow: Schema.Int,
  first: Schema.String
}) {
  override get message() {
    return `${this.refused} records of ${this.page} were refused when it was read, and ${this.refusedNow} are now (${this.first}), so its snapshot cannot be rebuilt as it was. Use the version of Cardlake that made it, or read the game again: cardlake nightly`
  }
}

/** Pages in memory at once: enough for every thread. */
const pagesAtOnce = 8

/** The positions of refused records by their page, as the reading lists them. */
const refusedPlaces = (folder: string) =>
  Stream.runFold(
    readRefusals(folder),
    () => new Map<string, Array<number>>(),
    (places, { index, page }: Refusal) => places.set(page, [...(places.get(page) ?? []), index])
  )

const shredPage = Effect.fnUntraced(function* (
  taker: RoundTaker,
  gameId: string,
  {
    folder,
    leftOut,
    page
  }: { readonly folder: string; readonly page: RawPage; readonly leftOut: ReadonlyArray<number> }
) {
  const file = join(folder, page.file)
  const sent = { ...rawPageOf(gameId, page, yield* readRawPage(folder, page)), leftOut }
  const take = (mayBeLarge: boolean) =>
    Effect.mapError(
      taker.take({ ...sent, mayBeLarge }),
      (cause) => new LakeError({ step: `Take apart ${file}`, cause })
    )
  let taken = yield* take(false)
  if (taken._tag === "large") {
    yield* (yield* PageRoom).take
    taken = yield* take(true)
  }
  if (taken._tag !== "taken") {
    return yield* new RawPageDamaged({ file, reason: "what" in taken ? taken.what : "it is too large" })
  }
  const out = new Set([...leftOut, ...taken.refusals.map(({ index }) => index)])
  if (out.size === page.refused) return
  const [first] = taken.refusals
  return yield* new RecordsDiffer({
    page: file,
    refused: page.refused,
    refusedNow: out.size,
    first: first === undefined ? "none" : `${first.path}: ${first.reason}`
  })
}, withPageRoom)

/**
 * Shreds the raw pages of a reading into batches below `folder`. A record that was refused when the reading was
 * made stays out, whatever this contract says; one that was accepted must still be. Design: decision 3.
 */
export const shredExtraction = Effect.fn("shredExtraction")(function* (extraction: Extraction, folder: string) {
  const { gameId, pages, runId } = extraction
  const raw = (yield* Home).raw(gameId, runId)
  const refused = extraction.refused === 0 ? new Map<string, Array<number>>() : yield* refusedPlaces(raw)
  const taker = yield* (yield* shredPages(folder)).round(gameId, null)
  yield* Effect.forEach(
    pages,
    (page) => shredPage(taker, gameId, { folder: raw, page, leftOut: refused.get(page.file) ?? [] }),
    { concurrency: pagesAtOnce, discard: true }
  )
  const cause = yield* taker.end
  if (cause !== null) return yield* new LakeError({ step: `Write the records of ${gameId} below ${folder}`, cause })
}, Effect.scoped)
