import { Effect, Result } from "effect"
import type { SnapshotFolder, Manifest } from "../home/Manifest.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { lastNight, snapshotVia } from "./openSnapshots.ts"
import { hash } from "node:crypto"
import { join } from "node:path"
import { unpack } from "../../feed/client/RawBody.ts"
import type { Dialect } from "../../feed/contract/dialect/dialects.ts"
import type { PageKind } from "../../feed/contract/records.ts"
import { Home } from "../home/Home.ts"
import { readJson } from "../home/jsonFile.ts"
import { Extraction } from "../../feed/reading/Extraction.ts"
import { rawNames } from "../../feed/reading/RawFiles.ts"
import { isFeedPage } from "../../feed/reading/feeds/usedFeeds.ts"
import { makeReader, type Node } from "../../feed/rows/batch/TableBatch.ts"
import { isObject } from "../../feed/rows/isObject.ts"
import { parsePage, type SentPage } from "../../feed/rows/parsePage.ts"
import { ofFeed } from "../../feed/rows/shredLines.ts"
import type { PageRound } from "../../feed/rows/shredRound.ts"
import { tableNamed } from "../../feed/schema/snapshotTables.ts"
import { parseStored, openRawPage, readRawPage } from "../lake/load/shredExtraction.ts"

export type IdsByEntity = Readonly<Record<"product" | "expansion", ReadonlySet<number>>>

/** Normalises a value: a number equals its text, and null equals absence. */
const plain = (value: unknown): unknown =>
  value === null || value === undefined || typeof value === "object" ? (value ?? null) : String(value)
const pickFields = (value: unknown, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> | null =>
  isObject(value) ? names.map((name) => plain(value[name])) : null
const sortIds = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => pickFields(one, "finish", "id")) : plain(value)

/** Returns a function that hashes the source fields of a table's columns, in order, and the fields of other tables. */
const hasher = (table: "products" | "expansions", others: (record: Node) => ReadonlyArray<unknown> = () => []) => {
  const readers = tableNamed(table)
    .columns.filter(({ isVersioned, retired }) => isVersioned && retired === null)
    .map(makeReader)
  return (record: Node): string =>
    hash("md5", JSON.stringify([...readers.map((read) => plain(read(record))), ...others(record)]))
}

const productHasher = ({ ids }: Dialect) =>
  hasher("products", ({ availability, expansion, externalIds, finishes, languages }) => [
    [availability, finishes, languages].map(plain),
    pickFields(expansion, "id"),
    pickFields(externalIds, ...Object.values(ids))?.map(sortIds)
  ])

/** Hash functions of lists whose records have more than their columns. A catalogue line has no more. */
const lists = {
  products: { entity: "product", prepare: () => {}, hasherIn: productHasher },
  expansions: { entity: "expansion", prepare: () => {}, hasherIn: () => hasher("expansions") },
  feedExpansions: { entity: "expansion", prepare: ofFeed, hasherIn: () => hasher("expansions") }
} as const

const isHashed = (kind: PageKind): kind is keyof typeof lists => kind in lists

/** True if a page may contain a record with one of the ids; most do not and need no decoding. */
const mayHold = ({ bytes, encoding }: SentPage, ids: ReadonlySet<number>): boolean => {
  const text = Result.getOrNull(unpack(bytes, encoding, true))?.text ?? ""
  for (const [, id] of text.matchAll(/"id"\s*:\s*(\d+)/g)) if (ids.has(Number(id))) return true
  return false
}

/** Hashes a snapshot's records without prices, by `entity id`, from its raw pages. Fails if they are missing. */
export const recordHashes = Effect.fn("recordHashes")(function* (manifest: Manifest, ids: IdsByEntity) {
  const home = yield* Home
  const folder = home.raw(manifest.gameId, manifest.runId)
  const extraction = yield* readJson(join(folder, rawNames.extraction), Extraction, "without a sum")
  const found = new Map<string, string>()
  const makeSink = (kind: keyof typeof lists) => (dialect: Dialect) => {
    const { entity, hasherIn, prepare } = lists[kind]
    const hash = hasherIn(dialect)
    return (record: Record<string, unknown>) => {
      if (!ids[entity].has(Number(record["id"]))) return
      prepare(record)
      found.set(`${entity} ${Number(record["id"])}`, hash(record))
    }
  }
  for (const page of extraction.pages) {
    const { kind } = page
    if (!isHashed(kind) || ids[lists[kind].entity].size === 0) continue
    const wanted = ids[lists[kind].entity]
    const round: PageRound = {
      parse: (sent) => Effect.sync(() => parsePage({ ...sent, isCounted: !mayHold(sent, wanted) }, makeSink(kind))),
      end: Effect.succeed(null)
    }
    if (isFeedPage(page)) {
      yield* parseStored(round, extraction, { page })
      continue
    }
    const sent = openRawPage(extraction, page, yield* readRawPage(folder, page))
    if (mayHold(sent, wanted)) parsePage(sent, makeSink(kind))
  }
  return found
})

/** Unexplained claims of a modification without a changed column. */
const unseen = `select entity, item_id from reconciliations
  where claimed = 'modified' and seen is null and item_id is not null
    and (explanation is null or explanation in ('price_only', 'not_in_feeds'))`

/**
 * Explains claims about records whose text changed without changing a column. Compares the record in the raw pages of
 * the later night and of the last earlier reading in the same way and dialect. Without these pages, the claim remains
 * unexplained.
 */
export const explainReworded = Effect.fnUntraced(function* (
  session: Session,
  { from, to }: { readonly from: SnapshotFolder; readonly to: SnapshotFolder }
) {
  const claims = yield* session.rows("Find claimed changes that no column shows", unseen)
  if (claims.length === 0) return
  const last = yield* lastNight(
    from,
    (one) => snapshotVia(one) === snapshotVia(to) && one.manifest.dialect === to.manifest.dialect
  )
  if (last === null) return
  const selectIds = (entity: string) =>
    new Set(claims.flatMap((claim) => (claim["entity"] === entity ? [Number(claim["item_id"])] : [])))
  const ids: IdsByEntity = { product: selectIds("product"), expansion: selectIds("expansion") }
  const before = yield* Effect.option(recordHashes(last.manifest, ids))
  if (before._tag === "None") return
  const after = yield* Effect.option(recordHashes(to.manifest, ids))
  if (after._tag === "None") return
  for (const [entity, wanted] of Object.entries(ids)) {
    const reworded = [...wanted].filter((id) => {
      const [was, is] = [before.value.get(`${entity} ${id}`), after.value.get(`${entity} ${id}`)]
      return was !== undefined && is !== undefined && was !== is
    })
    if (reworded.length === 0) continue
    yield* session.run(
      "Explain what is worded otherwise",
      `update reconciliations set explanation = 'rewritten'
       where entity = '${entity}' and item_id in (${reworded.join(", ")}) and (entity, item_id) in (${unseen})`
    )
  }
})
