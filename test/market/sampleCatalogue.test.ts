import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../src/feed/contract/dialect/dialects.ts"
import { Effect, Result, Schema } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { packed, sampleFiles } from "../../data/sample/generate.ts"
import { Expansion } from "../../src/feed/contract/Catalogue.ts"
import { product } from "../../src/feed/contract/Product.ts"
import { readCatalogue } from "../../src/market/catalogue/readCatalogue.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { type Body, sampleFolder } from "./Served.ts"
import { total } from "../support/sandbox.ts"
import { effect } from "../support/suite.ts"
import { isFull } from "../tried.ts"

const Product = product(dialects.spec)

const files = sampleFiles()
// oxlint-disable-next-line typescript/no-explicit-any
const recordsOf = (kind: string): ReadonlyArray<ReadonlyArray<any>> =>
  [...files].flatMap(([path, text]) =>
    path.endsWith(`${kind}.ndjson.gz`) ? [JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`)] : []
  )
const refused = <A, I>(schema: Schema.ConstraintCodec<A, I>, records: ReadonlyArray<unknown>) =>
  records.filter((record) => Result.isFailure(Schema.decodeUnknownResult(schema)(record)))

describe("sample catalogue", () => {
  it("is what its generator writes", () => {
    for (const [path, text] of files) {
      const stored = readFileSync(join(sampleFolder, path))
      assert.strictEqual(path.endsWith(".gz") ? gunzipSync(stored).toString() : stored.toString(), text, path)
    }
  })

  it("is packed without a time or the name of a system", () => {
    const header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]
    for (const path of files.keys()) {
      if (path.endsWith(".gz")) assert.deepEqual([...readFileSync(join(sampleFolder, path)).subarray(0, 10)], header)
    }
    assert.deepEqual([...packed("text").subarray(0, 10)], header)
  })

  it("stays under a megabyte", () => {
    const stats = [...files.keys()].map((path) => statSync(join(sampleFolder, path)))
    assert.isBelow(total(stats, "size"), 1_000_000)
  })

  it.runIf(isFull)(
    "has no record that the contract refuses, or that has null where the specification has a text or a number",
    () => {
      const kinds = { products: Product, expansions: Expansion } as const
      for (const [kind, schema] of Object.entries(kinds)) {
        const records = recordsOf(kind).flat()
        assert.isAbove(records.length, 20)
        assert.isEmpty(refused<unknown, unknown>(schema as never, records))
        assert.isEmpty(records.filter((record) => JSON.stringify(record).includes(":null")))
      }
    }
  )

  it("has one id on purpose that is another product's: Molten Pilgrim has the sourceUsd of Orrin's Chorus", () => {
    for (const records of recordsOf("products")) {
      const holders = new Map<number, Array<string>>()
      for (const { externalIds, name } of records) {
        for (const { id } of externalIds?.sourceUsd ?? []) holders.set(id, [...(holders.get(id) ?? []), name])
      }
      const shared = [...holders].filter(([, names]) => new Set(names).size > 1)
      const isEmberfall = records[0].gameId === "emberfall"
      assert.deepEqual(shared, isEmberfall ? [[600_236, ["Orrin's Chorus", "Molten Pilgrim"]]] : [])
    }
  })

  effect.full("serves four products that the contract refuses where odd records are asked for", function* () {
    for (const live of ["first", "last"] as const) {
      const { key, url } = yield* serveSandbox({ catalogue: sampleFolder, odd: true, live })
      const found: Array<unknown> = []
      for (let offset = 0, hasMore = true; hasMore; offset += 200) {
        const answer = yield* Effect.promise(() =>
          fetch(`${url}/v1/products?limit=200&offset=${offset}`, { headers: { authorization: `Bearer ${key}` } })
        )
        const page = (yield* Effect.promise(() => answer.json())) as Body
        found.push(...page.data)
        hasMore = page.pagination.hasMore
      }
      const ids = refused(Product, found).map((record) => Number((record as { id: unknown }).id))
      assert.sameMembers(ids, [10_367, 9_007_100_002_375_700, 9_007_100_002_613_270, 3_000_000_848])
    }
  })

  effect("serves of it, where ids have to be below 2^31, the one game that has no larger id", function* () {
    const { key, url } = yield* serveSandbox({ catalogue: sampleFolder, smallIds: true })
    const headers = { authorization: `Bearer ${key}` }
    const games = yield* Effect.promise(() => fetch(`${url}/v1/games`, { headers }).then((answer) => answer.json()))
    assert.deepEqual(
      (games as Body).data.map(({ id }) => id),
      ["emberfall"]
    )
    const large = (yield* readCatalogue(sampleFolder, false)).filter(({ game }) => game.id !== "emberfall")
    const { message } = yield* Effect.flip(serveSandbox({ catalogue: { games: large }, smallIds: true }))
    assert.include(message, "has no game whose ids are all below 2^31")
  })

  it("gives every product of a deployment its own id and slug", () => {
    for (const records of recordsOf("products")) {
      assert.strictEqual(new Set(records.map((record) => String(record.id))).size, records.length)
      assert.strictEqual(new Set(records.map((record) => record.nameSlug)).size, records.length)
    }
  })
})
