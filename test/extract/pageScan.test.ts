import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import wabt from "wabt"
import { type PageScan, scanPage } from "../../src/extract/pageScan.ts"

const source = (name: string) => new URL(`../../src/extract/${name}`, import.meta.url)

/** The same, as one would write it down. */
const plainly = (text: string): PageScan => {
  const bytes = Buffer.from(text).toString("latin1")
  const from = bytes.indexOf("[") + 1
  const records = bytes.slice(from, Math.max(from, bytes.lastIndexOf("]")))
  const isLong = ([run = ""]: RegExpExecArray, at: number) =>
    (at === 0 || /[:,[\- \t\r\n]/.test(records[at - 1] ?? "")) &&
    (run.length > 16 || /[eE]/.test(records[at + 16] ?? "") || run > "9007199254740991")
  return {
    keys: records.split('":').length - 1,
    blanks: /[\0-\x20]:/.test(records),
    long: [...records.matchAll(/[0-9.]{16,}/g)].some((run) => isLong(run, run.index)),
    tiny: /[0-9][eE]-[0-9]{3}[0-9]*[,}\] \t\r\n]/.test(records)
  }
}

/** Pieces that stand at every place of a block of 16 bytes, with what is nearly one of them. */
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('":', '"', ":", " :", "\t:", "\n", "\u0000:", ",", "-", "[", "]", "{", "}", " ")
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("1", "12.5", ".", "e", "E", "e-", "5e-324", "1E-100", "e-12", "e-1x", "9e-400x")
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "9007199254740991",
      "9007199254740992",
      "900719925474099",
      "1234567890.12345",
      "12345678901234567",
      "0.1234567890123456",
      "0".repeat(40)
    )
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20, unit: "binary" }) }
)
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""))

describe("the look at a page's bytes", () => {
  it("sees what a plain one sees, wherever it stands", () => {
    fc.assert(
      fc.property(text, fc.nat(40), fc.boolean(), (inside, before, whole) => {
        const json = whole ? inside : `${"x".repeat(before)}[${inside}]}`
        assert.deepStrictEqual(scanPage(Buffer.from(json)), plainly(json))
      }),
      { numRuns: 5000 }
    )
  })

  for (const json of ["", "[", "]", "[]", "][", '{"data":1}', '["":]', '["" :]', "[1e-100]", "[1e-100,]"]) {
    it(`sees ${json === "" ? "nothing" : json}`, () =>
      assert.deepStrictEqual(scanPage(Buffer.from(json)), plainly(json)))
  }

  it("forgets the page before, a longer one with everything in it", () => {
    const filler = '"a" :1e-400,'.repeat(20_000)
    assert.deepStrictEqual(scanPage(Buffer.from(`[${filler}${"9".repeat(40)},]`)), {
      keys: 0,
      blanks: true,
      long: true,
      tiny: true
    })
    assert.deepStrictEqual(scanPage(Buffer.from('[{"a":1}]')), { keys: 1, blanks: false, long: false, tiny: false })
  })

  it("is what its source says", async () => {
    const parsed = (await wabt()).parseWat("pageScan.wat", readFileSync(source("pageScan.wat"), "utf8"), { simd: true })
    assert.deepStrictEqual(Buffer.from(parsed.toBinary({}).buffer), readFileSync(source("pageScan.wasm")))
  })
})
