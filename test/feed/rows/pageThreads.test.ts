import { assert, describe } from "@effect/vitest"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import type { SentPage } from "../../../src/feed/rows/parsePage.ts"
import { type Batches, shredRound } from "../../../src/feed/rows/shredRound.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { newFolder, testIn } from "../../support/suite.ts"
import { fileRows } from "../../store/lake/tableRows.ts"
import { tried } from "../../tried.ts"

const pageSize = 20

/** Page `number` of a list of cards whose ids go on from page to page. */
const page = (number: number): SentPage => {
  const data = Array.from({ length: pageSize }, (_, at) => card(number * pageSize + at + 1))
  const offset = number * pageSize
  return {
    kind: "products",
    gameId,
    dialect: dialects.spec,
    number,
    bytes: gzipSync(JSON.stringify({ data, pagination: { offset, limit: 200, total: 1000, hasMore: true } })),
    encoding: "gzip",
    // One that may be large is never parsed by this thread.
    mayBeLarge: true,
    key: "",
    expects: offset,
    leftOut: []
  }
}

const batchesIn = (folder: string): Batches => ({ folder, isWhole: false })

/** Has pages parsed in a round, several at once. */
const parseRound = Effect.fnUntraced(function* (batches: Batches, from: number, to: number, threads = 2) {
  const round = yield* shredRound(batches, threads)
  const numbers = Array.from({ length: to - from }, (_, at) => from + at)
  const parsed = yield* Effect.forEach(numbers, (number) => round.parse(page(number)), { concurrency: 6 })
  assert.isTrue(parsed.every((one) => one._tag === "parsed" && one.accepted === pageSize))
  return round
})

/** The ids of the products in a folder. */
const idsIn = (folder: string) =>
  Effect.map(
    fileRows(`select product_id from read_parquet('${folder}/products/*.parquet') order by product_id`),
    (rows) => rows.map((row) => Number(row["product_id"]))
  )
const idsOf = (from: number, to: number) =>
  Array.from({ length: (to - from) * pageSize }, (_, at) => from * pageSize + at + 1)

describe("pages that are parsed", () => {
  for (const threads of tried([0, 1, 3], (threads) => threads === 1)) {
    testIn(emptyHome)(`are all loaded with ${threads} threads beside this one`, function* () {
      const folder = yield* newFolder
      const batches = batchesIn(folder)
      const round = yield* parseRound(batches, 0, 12, threads)
      assert.isFalse(batches.isWhole)
      assert.isNull(yield* round.end)
      assert.isTrue(batches.isWhole)
      assert.deepStrictEqual(yield* idsIn(folder), idsOf(0, 12))
    })
  }

  testIn(emptyHome).full("of a round that was given up are gone with it; those of another game stay", function* () {
    const folder = yield* newFolder
    const batches = batchesIn(folder)
    yield* parseRound(batches, 0, 5)
    const other = yield* newFolder
    const otherRound = yield* parseRound(batchesIn(other), 20, 24)
    const round = yield* parseRound(batches, 3, 7)
    yield* round.end
    assert.deepStrictEqual(yield* idsIn(folder), idsOf(3, 7))
    yield* otherRound.end
    assert.deepStrictEqual(yield* idsIn(other), idsOf(20, 24))
  })
})
