import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { parseFeed } from "../../../../src/feed/reading/feeds/parseFeed.ts"
import { countRound } from "../../../../src/feed/rows/shredRound.ts"
import { newFolder, live } from "../../../support/suite.ts"

const product = (id: number | string) =>
  `{"id":${id},"productType":"card","name":"Wicker Hound","nameSlug":null,"attributes":{}}`

const parsed = Effect.fnUntraced(function* (
  text: string,
  pack: (bytes: Buffer) => Uint8Array = gzipSync,
  maxBytes = 32_000_000
) {
  const file = join(yield* newFolder, "catalog.ndjson.gz")
  writeFileSync(file, pack(Buffer.from(text)))
  return yield* Effect.result(
    parseFeed(countRound, {
      file,
      maxBytes,
      kind: "catalog",
      gameId: "hollowmere",
      name: "pages/catalog.ndjson.gz",
      dialect: null
    })
  )
})

live("lines go through the contract exactly as they came, and a refused one keeps its place in the file", function* () {
  const lines = Array.from({ length: 450 }, (_, index) => product(index + 1))
  lines[249] = product("9007199254740993")
  lines[401] = '{"id":402,"productType":"card","name":"a","name":"b"}'
  lines[402] = '{"id":403,"productType":"booster","name":"a"}'
  const text = `\n${lines.join("\n\n")}\r\n  \n${product(451)}`
  for (const pack of [gzipSync, (bytes: Buffer) => bytes]) {
    const result = yield* parsed(text, pack)
    if (result._tag === "Failure") return assert.fail(result.failure)
    const { checksum, ids, records, refusals, refused } = result.success
    assert.deepStrictEqual([records, refused, ids.length], [451, 3, 451])
    assert.strictEqual(checksum, createHash("sha256").update(text).digest("hex"))
    assert.deepStrictEqual(
      refusals.map((line) => {
        const { index, page, path, reason } = JSON.parse(line) as Readonly<Record<string, unknown>>
        return [page, index, path, String(reason).slice(0, 30)]
      }),
      [
        ["pages/catalog.ndjson.gz", 249, "id", "More digits than a number carr"],
        ["pages/catalog.ndjson.gz", 401, "name", "Duplicate key in object"],
        ["pages/catalog.ndjson.gz", 402, "productType", 'Expected "card" | "sealed", got "x"'.slice(0, 30)]
      ]
    )
  }
})

live(
  "lines longer than a piece of the file, and blank ones between the pieces, are read like any others",
  function* () {
    const long = (id: number, length: number) => product(id).replace("Wicker Hound", "x".repeat(length))
    const lines = [long(1, 300_000), long(2, 900_000), product(3), long(4, 600_000), product(5)]
    const text = `${" ".repeat(300_000)}\n${lines.join(`\n${" \t".repeat(200_000)}\n`)}\n${" ".repeat(700_000)}`
    const result = yield* parsed(text)
    if (result._tag === "Failure") return assert.fail(result.failure)
    const { checksum, ids, records, refused, sizeBytes } = result.success
    assert.deepStrictEqual([records, refused, [...ids]], [5, 0, [1, 2, 3, 4, 5]])
    assert.deepStrictEqual([checksum, sizeBytes], [createHash("sha256").update(text).digest("hex"), text.length])
  }
)

live("a file that ends in the middle, is no gzip inside, or has a line that is no JSON is not taken", function* () {
  const text = Array.from({ length: 300 }, (_, index) => product(index + 1)).join("\n")
  const fault = (result: Effect.Success<ReturnType<typeof parsed>>) =>
    result._tag === "Failure" ? result.failure : "taken"
  assert.match(fault(yield* parsed(text, (bytes) => gzipSync(bytes).subarray(0, 400))), /ends in the middle/)
  assert.match(
    fault(yield* parsed(text, (bytes) => Buffer.concat([gzipSync(bytes).subarray(0, 400), Buffer.alloc(400, 7)]))),
    /cannot be unpacked|ends in the middle/
  )
  assert.strictEqual(fault(yield* parsed(`${text}\n{"id":`)), "lines 201 to 301 are not all JSON")
  assert.strictEqual(
    fault(yield* parsed(`${product(1)}\n${product(2)},${product(3)}`)),
    "lines 1 to 2 are not all JSON"
  )
})

live(
  "a line too long for a record is refused with its reason and beginning, packed or not, also as the last one",
  function* () {
    const long = (id: number) => product(id).replace("Wicker Hound", "x".repeat(1_100_000))
    const lines = [product(1), long(2), product(3), " ".repeat(1_200_000), long(4), long(5), product(6), long(7)]
    const text = lines.join("\n")
    for (const pack of [gzipSync, (bytes: Buffer) => bytes]) {
      const result = yield* parsed(text, pack)
      if (result._tag === "Failure") return assert.fail(result.failure)
      const { checksum, ids, records, refusals } = result.success
      assert.deepStrictEqual([records, [...ids]], [7, [1, Number.NaN, 3, Number.NaN, Number.NaN, 6, Number.NaN]])
      assert.strictEqual(checksum, createHash("sha256").update(text).digest("hex"))
      assert.deepStrictEqual(
        refusals.map((line) => {
          const { index, raw, reason } = JSON.parse(line) as { index: number; raw: string; reason: string }
          return [index, reason, raw.slice(0, 8), raw.length]
        }),
        [
          [1, "The line is longer than 1 MB", '{"id":2,', 1000],
          [3, "The line is longer than 1 MB", '{"id":4,', 1000],
          [4, "The line is longer than 1 MB", '{"id":5,', 1000],
          [6, "The line is longer than 1 MB", '{"id":7,', 1000]
        ]
      )
    }
  }
)

live(
  "a file with more bytes than allowed is not read to its end, whether they are lines, blank ones or no end",
  function* () {
    for (const filling of [`${product(2)}\n`, "\n", " \r\n", " ", "x"]) {
      const text = `${product(1)}\n${filling.repeat(Math.ceil(600_000 / filling.length))}`
      const result = yield* parsed(text, gzipSync, 300_000)
      if (result._tag === "Success") return assert.fail(filling)
      assert.strictEqual(result.failure, "it has more than 300000 bytes unpacked")
    }
    const blank = yield* parsed(`${product(1)}${"\n".repeat(600_000)}${product(2)}`)
    assert.deepStrictEqual(blank._tag === "Success" ? blank.success.records : blank.failure, 2)
  }
)
