import { listValue } from "@duckdb/node-api"
import { Effect } from "effect"
import { judgedQuery, readConfirmed } from "../audit/findings.ts"
import { chartSpan } from "../priceCharts.ts"
import type { LakeView, Parameters, Row } from "../LakeReader.ts"
import { readChoice, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"
import { answerWithFile } from "../FileAnswer.ts"

interface Found {
  readonly gameId: string
  readonly id: bigint
  readonly row: Row
}

/** Reads everything that the lake has about a product. Independent queries run in parallel. */
export const readProduct = Effect.fnUntraced(function* (request: PageRequest, found: Found) {
  const beside = yield* request.lake.beside
  const [prices, rest] = yield* Effect.all([readPrices(request, found), readRest(request, found, beside)], {
    concurrency: 2
  })
  return { ...prices, ...rest }
})

const reader = (rows: LakeView["rows"], { gameId, id }: Found) => {
  const parameters = { game: gameId, id }
  return (name: string, more: Parameters = {}) =>
    rows(`Read the ${name.replace("_", " ")} of the product`, queryNamed(`product/${name}`), { ...parameters, ...more })
}

/** Ends the request with the product's prices of every day as a file if its address asks for one; a span in the address limits the days. */
export const answerWithPrices = Effect.fnUntraced(function* (request: PageRequest, found: Found) {
  if (request.format === null) return
  const { rate, shown } = yield* chosenDays(request, found)
  yield* reader(request.lake.rows, found)("priced")
  const from = request.query.has("span") ? shown.from : null
  const parameters = { game: found.gameId, id: found.id, ...shown, from }
  yield* answerWithFile(request, {
    step: "Read the prices of the product",
    sql: queryNamed(`product/series_${rate === "native" ? "native" : "eur"}`),
    parameters: rate === "native" ? parameters : { ...parameters, constant: rate === "constant" }
  })
})

const chosenDays = Effect.fnUntraced(function* (request: PageRequest, { gameId, id, row: { finishes } }: Found) {
  const rate = yield* readChoice(request, "rate", ["native", "same-day", "constant"])
  const span = yield* chartSpan(request, gameId, id)
  const shown = { from: span.readFrom, finishes: listValue(Array.isArray(finishes) ? finishes.map(String) : []) }
  return { rate, span, shown }
})

/** Reads the results that derive from all prices of the product. One query loads those for all. */
const readPrices = Effect.fnUntraced(function* (request: PageRequest, found: Found) {
  const read = reader(request.lake.rows, found)
  const { rate, shown, span } = yield* chosenDays(request, found)
  const spans = yield* request.lake.rows("Read the readings", queryNamed("movers/reading_spans"), {
    game: found.gameId
  })
  const snapshotAt = (index: number) => (spans[index] === undefined ? null : String(spans[index]["snapshot"]))
  yield* read("priced")
  const series =
    rate === "native"
      ? yield* read("series_native", shown)
      : yield* read("series_eur", { ...shown, constant: rate === "constant" })
  const board = yield* read("board", { near: snapshotAt(0), far: snapshotAt(1) })
  return { rate, span, spans, series, board, prices: yield* read("prices") }
})

const readRest = Effect.fnUntraced(function* (request: PageRequest, found: Found, rows: LakeView["rows"]) {
  const read = reader(rows, found)
  const expansion = found.row["expansion_id"] ?? null
  const [first] = yield* read("first")
  const [beside] = yield* read("neighbours", { expansion: expansion === null ? null : String(expansion) })
  const printings = yield* read("printings", { name: String(found.row["name"]) })
  const [listings, conditions] = [yield* read("listings"), yield* read("conditions")]
  const [changes, translations, ids] = [yield* read("changes"), yield* read("translations"), yield* read("ids")]
  yield* request.lake.audited
  const judged = { game: found.gameId, id: found.id, ...(yield* readConfirmed(request)) }
  const audit = yield* rows("Read the audit of the product", judgedQuery("product/audit"), judged)
  return { first, beside, printings, listings, conditions, changes, translations, ids, audit }
})
