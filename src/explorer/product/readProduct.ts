import { listValue } from "@duckdb/node-api"
import { Effect } from "effect"
import { chartSpan } from "../chartSpan.ts"
import type { Row } from "../LakeReader.ts"
import { choiceOf, type PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const names = [
  "prices",
  "listings",
  "conditions",
  "changes",
  "ids",
  "audit",
  "translations",
  "board",
  "printings",
  "neighbours",
  "first"
] as const
const queries = Object.fromEntries(names.map((name) => [name, queryNamed(`product_${name}`)])) as Record<
  (typeof names)[number],
  string
>
const told = queryNamed("product_told")
const nativeSeries = queryNamed("product_series_native")
const eurSeries = queryNamed("product_series_eur")
const readingSpans = queryNamed("reading_spans")

/** Everything that the lake has about a product that it found. */
export const readProduct = Effect.fnUntraced(function* (asked: PageRequest, gameId: string, id: bigint, found: Row) {
  const parameters = { game: gameId, id }
  const read = (name: (typeof names)[number], more: Readonly<Record<string, string | null>> = {}) =>
    asked.lake.rows(`Read the ${name} of the product`, queries[name], { ...parameters, ...more })
  const rate = yield* choiceOf(asked, "rate", ["native", "same-day", "constant"])
  const span = yield* chartSpan(asked, gameId, id)
  yield* asked.lake.rows("Read the history of the prices", told, parameters)
  const listed = Array.isArray(found["finishes"]) ? found["finishes"].map(String) : []
  const shown = { ...parameters, finishes: listValue(listed), from: span.readFrom }
  const series = yield* rate === "native"
    ? asked.lake.rows("Read the prices", nativeSeries, shown)
    : asked.lake.rows("Read the prices", eurSeries, { ...shown, constant: rate === "constant" })
  const spans = yield* asked.lake.rows("Look at the readings", readingSpans, { game: gameId })
  const snapshotAt = (index: number) => (spans[index] === undefined ? null : String(spans[index]["snapshot"]))
  yield* asked.lake.audited
  const expansion = found["expansion_id"] ?? null
  return {
    rate,
    span,
    series,
    spans,
    board: yield* read("board", { near: snapshotAt(0), far: snapshotAt(1) }),
    prices: yield* read("prices"),
    listings: yield* read("listings"),
    conditions: yield* read("conditions"),
    printings: yield* read("printings", { name: String(found["name"]) }),
    beside: (yield* read("neighbours", { expansion: expansion === null ? null : String(expansion) }))[0],
    changes: yield* read("changes"),
    first: (yield* read("first"))[0],
    translations: yield* read("translations"),
    ids: yield* read("ids"),
    audit: yield* read("audit")
  }
})
