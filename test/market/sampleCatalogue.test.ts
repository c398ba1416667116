import { assert, describe, it } from "@effect/vitest"
import { dialects } from "../../src/contract/dialects.ts"
import { Result, Schema } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { packed, sampleFiles } from "../../data/sample/generate.ts"
import { Expansion } from "../../src/contract/Expansion.ts"
import { product } from "../../src/contract/Product.ts"
import { sampleFolder } from "./Served.ts"

const Product = product(dialects.spec)

const files = sampleFiles()
const recordsOf = (kind: string) =>
  [...files].flatMap(([path, text]) =>
    path.endsWith(`${kind}.ndjson.gz`)
      ? [
          {
            path,
            records: text
              .trim()
              .split("\n")
              .map((line) => JSON.parse(line))
          }
        ]
      : []
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
      if (path.endsWith(".gz"))
        assert.deepStrictEqual([...readFileSync(join(sampleFolder, path)).subarray(0, 10)], header)
    }
    assert.deepStrictEqual([...packed("text").subarray(0, 10)], header)
  })

  it("stays under a megabyte", () => {
    const sizes = [...files.keys()].map((path) => statSync(join(sampleFolder, path)).size)
    assert.isBelow(
      sizes.reduce((sum, size) => sum + size, 0),
      1_000_000
    )
  })

  it("has four products in every deployment that the contract refuses, and no such expansion", () => {
    for (const date of ["2026-03-01", "2026-03-08", "2026-03-09", "2026-03-16"]) {
      const products = recordsOf("products").filter(({ path }) => path.includes(date))
      assert.strictEqual(
        refused(
          Product,
          products.flatMap(({ records }) => records)
        ).length,
        4
      )
    }
    assert.isEmpty(
      refused(
        Expansion,
        recordsOf("expansions").flatMap(({ records }) => records)
      )
    )
  })

  it("gives every product of a deployment its own id and slug", () => {
    for (const { records } of recordsOf("products")) {
      assert.strictEqual(new Set(records.map((record) => String(record.id))).size, records.length)
      assert.strictEqual(new Set(records.map((record) => record.nameSlug)).size, records.length)
    }
  })
})
