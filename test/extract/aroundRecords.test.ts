import { assert, describe, it } from "@effect/vitest"
import { acceptPage } from "../../src/extract/acceptPage.ts"
import { recordRules } from "../../src/extract/recordRules.ts"
import { card } from "./records.ts"

const deep = "[".repeat(100_000) + "]".repeat(100_000)
const record = JSON.stringify(card(1))
const flat = `"pagination":{"offset":0,"limit":200,"total":1,"hasMore":false}`

/** What the loader reads of a page: the page as it came, or the one derived from it. */
const loaded = (text: string): string => {
  const { data } = JSON.parse(text) as { data: ReadonlyArray<unknown> }
  return acceptPage(recordRules.products, "fable", { text, plain: Buffer.from(text), data }).derived ?? text
}

const odd: ReadonlyArray<readonly [string, string]> = [
  ["a nested key before data", `{"x":${deep},"data":[${record}],${flat}}`],
  ["a nested key between data and pagination", `{"data":[${record}],"x":${deep},${flat}}`],
  ["a nested key behind pagination", `{"data":[${record}],${flat},"x":${deep}}`],
  ["nesting inside the pagination", `{"data":[${record}],"pagination":{"offset":0,"x":${deep}}}`],
  ["nesting inside a pagination before data", `{"pagination":{"x":${deep}},"data":[${record}]}`],
  ["nested objects", `{"data":[${record}],"x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
  ["data twice, the first one nested", `{"data":${deep},"data":[${record}],${flat}}`],
  ["data twice, the first one under an escaped key", String.raw`{"dat\u0061":${deep},"data":[${record}],${flat}}`],
  ["data twice with a blank before the colon", `{"data" :${deep},"data":[${record}],${flat}}`],
  ["pagination twice, the first one nested", `{"data":[${record}],"pagination":${deep},${flat}}`],
  ["a nested key in front of an empty list", `{"x":${deep},"data":[]}`],
  ["a nested key behind an empty list", `{"data":[],"x":${deep}}`],
  ["a nested key behind a text with a bracket", `{"data":[${record}],"y":"]","x":${deep}}`]
]

describe("the loader does not see", () => {
  for (const [what, text] of odd) {
    it(`${what}`, () => {
      const { data } = JSON.parse(text) as { data: ReadonlyArray<unknown> }
      assert.strictEqual(loaded(text), `{"data":[${data.length === 0 ? "" : record}]}`)
    })
  }
  it("a key that stands twice in a record, its first value nested", () => {
    const twice = record.replace("{", `{"attributes":${deep},`)
    assert.strictEqual(loaded(`{"data":[${record},${twice}],${flat}}`), `{"data":[${record}]}`)
  })
})

describe("a page is read as it came", () => {
  for (const [what, text] of [
    ["with its pagination behind", `{"data":[${record}],${flat}}`],
    ["with its pagination in front", `{${flat},"data":[${record}]}`],
    ["with a cursor", `{"data":[${record}],"pagination":{"nextCursor":"eyJhIjoxfQ=="}}`],
    ["without pagination", `{"data":[${record}]}`],
    ["with blanks behind commas and colons", `{"data": [${record}], ${flat.replaceAll(/[:,]/g, "$& ")}}`]
  ] as const) {
    it(`${what}`, () => assert.strictEqual(loaded(text), text))
  }
})
