import { Effect, Stream } from "effect"
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { readRefusals } from "../../../src/feed/reading/readExtraction.ts"
import { lakeMemory } from "../../../src/feed/rows/memoryBound.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { loadSnapshot } from "../../../src/store/lake/load/loadSnapshot.ts"
import { against, type Asked } from "../client/StrangeServer.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { fileRows, tableRows } from "../../store/lake/tableRows.ts"
import { serve } from "../reading/feed.ts"
import { idOf } from "../../store/lake/invented.ts"

export type SentList = "products" | "expansions"

/** Records per page of an offset list. */
export const pageSize = 200

/** Columns that hold a field of the record as it came, by list. */
export const keptFields = {
  products: {
    name: "name",
    name_slug: "nameSlug",
    product_type: "productType",
    product_category: "productCategory",
    print_number: "printNumber",
    variant: "variant",
    rarity: "rarity",
    image_url: "imageUrl",
    image_back_url: "imageBackUrl",
    attributes: "attributes"
  },
  expansions: {
    slug: "slug",
    name: "name",
    code: "code",
    logo_url: "logoUrl",
    symbol_url: "symbolUrl",
    attributes: "attributes"
  }
} as const

/** Rows by id, as JSON texts: DuckDB's client would drop a byte order mark that begins a value. */
const keptRows = Effect.fnUntraced(function* (folder: string, list: SentList) {
  // A record as one text takes more memory than the tested load may have.
  yield* fileRows("set memory_limit = '4GB'")
  const rows = yield* fileRows(
    `select ${list.slice(0, -1)}_id::varchar as id, json_array(${Object.keys(keptFields[list]).join(", ")})::varchar as kept
     from read_parquet('${folder}/${list}.parquet')`
  )
  yield* fileRows(`set memory_limit = '${lakeMemory.memory_limit}'`)
  return new Map(rows.map(({ id, kept }) => [String(id), String(kept)]))
})

/** The lists of a game, each record as its JSON text. */
type SentLists = Readonly<Record<SentList, ReadonlyArray<string>>>

const pageText = (records: ReadonlyArray<string>, offset: number): string => {
  const total = records.length
  const pagination = { offset, limit: pageSize, total, hasMore: offset + pageSize < total }
  return `{"data":[${records.slice(offset, offset + pageSize).join(",")}],"pagination":${JSON.stringify(pagination)}}`
}

/** Answers as the marketplace does, with the lists' texts unchanged. */
const serveTexts = (sent: SentLists, isMarked: (list: SentList, page: number) => boolean) => {
  const answerRest = serve()
  return (asked: Asked, response: ServerResponse) => {
    const list = asked.path === "/v1/products/search" ? "products" : "expansions"
    if (list === "expansions" && !asked.path.endsWith("/expansions")) return answerRest(asked, response)
    const offset = Number(asked.query.get("offset") ?? 0)
    const mark = isMarked(list, offset / pageSize) ? "\uFEFF" : ""
    const body = gzipSync(mark + pageText(sent[list], offset), { level: 1 })
    return response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body)
  }
}

/**
 * Serves the records, reads them as a night does and loads the snapshot.
 * Pages that `isMarked` picks, counted from 0, begin with a byte order mark.
 */
export const sendRecords = (sent: SentLists, isMarked: (list: SentList, page: number) => boolean = () => false) =>
  Effect.gen(function* () {
    const folder = (yield* Home).raw("fable", idOf("r1"))
    const extraction = yield* extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null })
    const snapshot = yield* loadSnapshot(extraction, null)
    return {
      extraction,
      refusals: yield* Stream.runCollect(readRefusals(folder)),
      checks: snapshot.manifest.checks,
      products: yield* keptRows(snapshot.folder, "products"),
      expansions: yield* keptRows(snapshot.folder, "expansions"),
      refused: yield* tableRows(snapshot.folder, "refusals")
    }
  }).pipe(against(serveTexts(sent, isMarked), { timeoutMillis: 30_000 }), Effect.provide(emptyHome), Effect.scoped)

export type Reading = Effect.Success<ReturnType<typeof sendRecords>>
