import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type KeyRule, renameKeys } from "../../../src/market/wording/renameKeys.ts"

const rewritten = (text: string, rule: KeyRule) => renameKeys(Buffer.from(text), rule).toString()

/** Blocks of prices and ids, to and from other words. */
const ruleOf = (words: ReadonlyArray<readonly [string, string]>): KeyRule => {
  const names = new Map(words)
  return {
    inside: new Map([
      ["prices", { names }],
      ["pricesByFinish", { each: { names } }],
      ["externalIds", { names }]
    ])
  }
}
const words = [
  ["sourceEur", "cardmarket"],
  ["marketplace", "cardnexus"],
  ["mtgId", "scryfallId"]
] as const
const there = ruleOf(words)
const back = ruleOf(words.map(([ours, theirs]) => [theirs, ours]))

const spaces = fc.constantFrom("", "", "", " ", "\n  ", "\t")
const numbers = fc.constantFrom("0", "-0", "1.50", "14.990", "1e2", "1E-3", "9007199254740993", "0.1000000000000000055")
const texts = fc.constantFrom(
  `"sourceEur"`,
  `"\\"marketplace\\":"`,
  `"a\\\\"`,
  `"{"`,
  `"]"`,
  `"é 闇 \\u0022"`,
  `""`,
  `"mtgId\\\\\\":1"`
)
const keys = fc.constantFrom(
  `"sourceEur"`,
  `"marketplace"`,
  `"mtgId"`,
  `"prices"`,
  `"pricesByFinish"`,
  `"externalIds"`,
  `"attributes"`,
  `"Foil"`,
  `"闇"`,
  `"a\\"b"`
)

/** JSON texts as nobody writes them: any depth, spaces anywhere, keys that mean something elsewhere. */
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "large" },
    fc.oneof(numbers, texts, fc.constantFrom("true", "null")),
    fc
      .array(fc.tuple(spaces, keys, spaces, spaces, tie("value"), spaces), { maxLength: 5 })
      .map((members) => `{${members.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`).join(",")}}`),
    fc
      .array(fc.tuple(spaces, tie("value")), { maxLength: 3 })
      .map((items) => `[${items.map(([a, b]) => a + b).join(",")}]`)
  )
}))

/** Records of products: three of their members are objects that are rewritten. */
const records = fc
  .tuple(spaces, fc.array(value, { minLength: 8, maxLength: 8 }))
  .map(
    ([space, [a, b, c, d, e, f, g, h]]) =>
      `{"sourceEur":${a},"prices":${space}{"marketplace":${b}${space},"Foil":${c}},"pricesByFinish":{"Foil":{${space}"sourceEur"${space}:${d}},"mtgId":${e}},"externalIds":{"mtgId":${f}, "x":${g}},"attributes":${h}}`
  )

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === "object" && json !== null && !Array.isArray(json)
const renamed = (blocks: unknown): unknown =>
  isObject(blocks)
    ? Object.fromEntries(
        Object.entries(blocks).map(([key, inner]) => [words.find(([ours]) => ours === key)?.[1] ?? key, inner])
      )
    : blocks
const eachRenamed = (finishes: unknown): unknown =>
  isObject(finishes)
    ? Object.fromEntries(Object.entries(finishes).map(([finish, blocks]) => [finish, renamed(blocks)]))
    : finishes

describe("renameKeys", () => {
  it("there and back is the same text, byte for byte", () => {
    fc.assert(
      fc.property(fc.oneof(value, records), (text) =>
        assert.strictEqual(rewritten(rewritten(text, there), back), text)
      ),
      { numRuns: 500 }
    )
  })

  it("renames in the objects that it is told, and nowhere else", () => {
    fc.assert(
      fc.property(fc.oneof(value, records), (text) => {
        const { externalIds, prices, pricesByFinish, ...others } = Object(JSON.parse(text))
        const after = Object(JSON.parse(rewritten(text, there)))
        const wanted = { ...others, prices: renamed(prices), pricesByFinish: eachRenamed(pricesByFinish) }
        const none = { prices: undefined, pricesByFinish: undefined, externalIds: undefined }
        assert.deepEqual({ ...none, ...after }, { ...wanted, externalIds: renamed(externalIds) })
      }),
      { numRuns: 500 }
    )
  })

  it("keeps spaces, order, digits and what only looks like a key", () => {
    assert.strictEqual(
      rewritten(
        `{ "name":"\\"sourceEur\\":1", "prices" : {"marketplace": {"sourceEur":1.50}, "sourceEur":{"low":14.990}},"attributes":{"sourceEur":1e2}}`,
        there
      ),
      `{ "name":"\\"sourceEur\\":1", "prices" : {"cardnexus": {"sourceEur":1.50}, "cardmarket":{"low":14.990}},"attributes":{"sourceEur":1e2}}`
    )
  })

  for (const [text, wanted] of [
    [`{"a":1,"b":2,"x":3}`, `{"x":3}`],
    [`{"x":3,"a":1,"b":2}`, `{"x":3}`],
    [`{"a":1,"x":3,"b":{"x":[1,2]}}`, `{"x":3}`],
    [`{"a":1,"b":"}"}`, `{}`],
    [`{"a":1,"c":"EUR","x":3}`, `{"x":3}`],
    [`{"a":1,"c":"USD","x":3}`, `{"c":"USD","x":3}`]
  ] as const) {
    it(`leaves members out: ${text}`, () => {
      const omit = new Map([
        ["a", null],
        ["b", null],
        ["c", `"EUR"`]
      ])
      assert.strictEqual(rewritten(text, { omit }), wanted)
    })
  }

  for (const text of ["", "{", `{"prices"`, `{"prices":{"sourceEur`, `{"prices":{,}}`, "[1,", `{"a":[[[`, "7"]) {
    it(`ends with a text that is not an object: ${text}`, () => {
      assert.strictEqual(rewritten(text, there), text)
    })
  }
})
