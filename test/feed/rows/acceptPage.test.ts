import { assert, describe, it } from "@effect/vitest"
import { type Dialect, dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import * as fc from "fast-check"
import { acceptPage } from "../../../src/feed/rows/acceptPage.ts"
import type { PageKind } from "../../../src/feed/contract/records.ts"
import { recordRules } from "../../../src/feed/rows/recordRules.ts"
import { card, sealed } from "./records.ts"

/** What `acceptPage` says of a page, and the records that it took. */
const acceptAs = (kind: PageKind, text: string, dialect: Dialect = dialects.spec) => {
  const taken: Array<Readonly<Record<string, unknown>>> = []
  const { data } = JSON.parse(text.replace(/^\uFEFF/, "")) as { readonly data: ReadonlyArray<unknown> }
  const page = acceptPage(recordRules(dialect)[kind], "fable", { text, plain: Buffer.from(text), data }, (record) =>
    taken.push(record)
  )
  return { ...page, taken }
}
const accept = (records: ReadonlyArray<unknown>, text = JSON.stringify({ data: records })) => acceptAs("products", text)
const one = (record: unknown) => accept([record]).refusals[0]
const taken = (records: ReadonlyArray<unknown>, text?: string) =>
  JSON.parse(JSON.stringify(accept(records, text).taken))

describe("the records of a page are taken as they came", () => {
  const records = [card(1), sealed(2)]
  const text = JSON.stringify({ data: records })
  for (const [what, page] of [
    ["on one line", text],
    ["with a line break after it", `${text}\n`],
    ["pretty-printed", JSON.stringify({ data: records }, null, 2)],
    ["with CRLF", text.replace("[", "[\r\n")],
    ["with a byte order mark", `\uFEFF${text}`],
    ["beside a deeply nested value", `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)},${text.slice(1)}`],
    ["from the last `data` where the key comes twice", `{"data":[{"id":7}],${text.slice(1)}`]
  ] as const) {
    it(`${what}`, () => assert.deepStrictEqual(taken([], page), records))
  }
  it("with digits in texts that no number could hold", () => {
    const precise = card(1, { name: "a,0.10000000000000000001,b", imageUrl: "x:12345678901234567890" })
    assert.deepStrictEqual(taken([precise]), [precise])
  })
  it("with surrogate pairs written as escapes", () => {
    const page = JSON.stringify({ data: [card(1, { name: "@" })] }).replace("@", String.raw`\ud83d\ude00`)
    assert.deepStrictEqual(taken([], page), [card(1, { name: "😀" })])
  })
})

describe("a record is refused with its path", () => {
  const cases: ReadonlyArray<readonly [string, unknown, string, RegExp]> = [
    ["null", null, "", /expected/i],
    ["a text", "x", "", /expected/i],
    ["an unknown kind", card(1, { productType: "other" }), "productType", /./],
    ["no id", { ...card(1), id: undefined }, "id", /missing/i],
    [
      "a price as text",
      card(1, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: "1" } } } }),
      "pricesByFinish.Foil.sourceEur.low",
      /expected/i
    ],
    [
      "five decimal places",
      card(1, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 0.12345 } } } }),
      "pricesByFinish.Foil.sourceEur.low",
      /four places/
    ],
    [
      "a negative price",
      sealed(1, { prices: { sourceUsd: { currency: "USD", low: -1 } } }),
      "prices.sourceUsd.low",
      /./
    ],
    ["an array instead of a record", [], "", /./],
    ["an array instead of an object", card(1, { expansion: [] }), "expansion", /expected/i],
    ["an array instead of an object with any keys", card(1, { pricesByFinish: [] }), "pricesByFinish", /expected/i],
    ["an array instead of an open object", card(1, { attributes: [] }), "attributes", /expected/i],
    ["an array instead of a block", sealed(1, { prices: { sourceUsd: [] } }), "prices.sourceUsd", /expected/i],
    ["a number in a list of texts", card(1, { languages: ["en", 2] }), "languages.1", /./],
    ["an id beyond 2^53", card(2 ** 53), "id", /./],
    ["another game", card(1, { gameId: "other" }), "gameId", /another game/i]
  ]
  for (const [what, record, path, reason] of cases) {
    it(`${what}`, () => {
      const refusal = one(record)
      assert.strictEqual(refusal?.path, path)
      assert.match(refusal?.reason ?? "", reason)
    })
  }

  for (const source of [
    "0.10000000000000000001",
    "9007199254740991.4",
    "14.990000000000000000001",
    "1000000000000000.1e-12"
  ]) {
    it(`a price ${source}, which a double would round`, () => {
      const record = card(1, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 777 } } } })
      const text = JSON.stringify({ data: [record] }).replace("777", source)
      const [refusal] = accept([], text).refusals
      assert.strictEqual(refusal?.path, "pricesByFinish.Foil.sourceEur.low")
      assert.include(refusal?.raw, source)
    })
  }
  it("the id 9007199254740991.4, which would be rounded to an integer", () => {
    const text = JSON.stringify({ data: [card(777)] }).replace("777", "9007199254740991.4")
    assert.strictEqual(accept([], text).refusals[0]?.path, "id")
  })
  it("half a surrogate pair", () => {
    const text = JSON.stringify({ data: [card(1, { name: "@" })] }).replace("@", String.raw`\ud800`)
    assert.strictEqual(accept([], text).refusals[0]?.path, "name")
  })
  it("nesting that would overflow the stack", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
    const text = JSON.stringify({ data: [card(1), { ...card(2), surprise: 777 }] }).replace("777", deep)
    const page = accept([], text)
    assert.deepStrictEqual([page.accepted, page.refusals[0]?.reason], [1, "Nested more than 1000 levels deep"])
  })
  it("and with its position, its id and its text as it was written", () => {
    const bad = { ...card(7), name: 1, eur: 2 }
    const refusal = accept([card(1), bad]).refusals[0]
    assert.deepStrictEqual([refusal?.index, refusal?.id, refusal?.raw], [1, "7", JSON.stringify(bad)])
  })
  it("but not for trailing zeros of a price, which lose nothing", () => {
    const record = card(1, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 777 } } } })
    const text = JSON.stringify({ data: [record] }).replace("777", "14.990000000000000000")
    assert.strictEqual(accept([], text).accepted, 1)
  })
})

describe("unknown keys", () => {
  const record = card(1, {
    ean: "4",
    pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1, date: "2026-01-01" } } },
    externalIds: { sourceEur: [{ finish: "Foil", id: 1, url: "u" }] }
  })
  it("go into extra with their nesting", () => {
    const [loaded] = taken([record])
    assert.deepStrictEqual(loaded.extra, { ean: "4", externalIds: { sourceEur: { 0: { url: "u" } } } })
  })
  it("of a price block go into the block's own extra, unknown blocks into priceExtra with sorted keys", () => {
    const depth = { low: 1, listingCount: 1, availableQuantity: 1 }
    const regions = { eu: { ...depth, currency: "EUR", vat: 8 } }
    const marketplace = { ...depth, low: { amount: 1, currency: "EUR", vat: 7 }, regions }
    const harbour = { b: 1, a: [{ d: 1, c: 2 }] }
    const page = [record, sealed(9, { prices: { marketplace: { ...marketplace, vat: 9 }, harbour } })]
    const [loaded, box] = taken(page)
    assert.deepStrictEqual(loaded.pricesByFinish, {
      Foil: { sourceEur: { currency: "EUR", low: 1, extra: { date: "2026-01-01" } } }
    })
    assert.deepStrictEqual(box.prices.marketplace.extra, { low: { vat: 7 }, vat: 9 })
    assert.deepStrictEqual(box.prices.marketplace.regions.eu.extra, { vat: 8 })
    assert.strictEqual(JSON.stringify(box.priceExtra), '{"prices":{"harbour":{"a":[{"c":2,"d":1}],"b":1}}}')
    assert.notProperty(box, "extra")
  })
  it("are counted once per record, whatever the finish", () => {
    assert.deepStrictEqual([...accept([record, record, card(3)]).unknownKeys].toSorted(), [
      ["ean", 2],
      ["externalIds.sourceEur.*.url", 2],
      ["pricesByFinish.*.sourceEur.date", 2]
    ])
  })
  it("of an open object are not reported", () => {
    assert.strictEqual(accept([card(1, { attributes: { anything: { goes: 1 } } })]).unknownKeys.size, 0)
  })
  it("called __proto__ or extra are stored like any other", () => {
    const text = JSON.stringify({ data: [card(1)] }).replace('"id"', '"__proto__":{"a":1},"extra":2,"id"')
    const [loaded] = taken([], text)
    assert.deepStrictEqual(Object.keys(loaded.extra), ["__proto__", "extra"])
  })
})

describe("aliases", () => {
  const july = (records: ReadonlyArray<unknown>) =>
    acceptAs("products", JSON.stringify({ data: records }), dialects["live-july"])
  const ids = [{ finish: "Foil", id: 7 }]

  it("cardmarket and tcgplayer are read as the eur and usd of July's ids", () => {
    const page = july([card(1, { externalIds: { cardmarket: ids, tcgplayer: ids } })])
    assert.deepStrictEqual(page.taken[0]?.["externalIds"], { eur: ids, usd: ids })
    assert.strictEqual(page.unknownKeys.size, 0)
  })
  it("beside the dialect's own word are unknown keys", () => {
    const { unknownKeys } = july([card(1, { externalIds: { eur: ids, cardmarket: ids } })])
    assert.deepStrictEqual([...unknownKeys.keys()], ["externalIds.cardmarket"])
  })
  it("the id of a live changelog's item is read as that of its list", () => {
    const counts = { added: 1, modified: 0, removed: 0 }
    const items = (id: number) => ({ added: [{ slug: "a", id }], modified: [], removed: [] })
    const entry = {
      id: "d",
      deployedAt: "2026-01-01T00:00:00Z",
      summary: { products: counts, expansions: counts },
      changes: { products: items(1), expansions: items(2) }
    }
    const page = acceptAs("changelog", JSON.stringify({ data: [entry] }), dialects.live)
    const [loaded] = JSON.parse(JSON.stringify(page.taken))
    assert.deepStrictEqual(loaded.changes.products.added, [{ slug: "a", productId: 1 }])
    assert.deepStrictEqual(loaded.changes.expansions.added, [{ slug: "a", expansionId: 2 }])
  })
  it("productId and expansionId of changelog items are read as their id", () => {
    const counts = { added: 1, modified: 0, removed: 0 }
    const items = (item: unknown) => ({ added: [item], modified: [], removed: [] })
    const changes = { products: items({ slug: "a", productId: 1 }), expansions: items({ slug: "b", expansionId: 2 }) }
    const entry = {
      id: "d",
      deployedAt: "2026-01-01T00:00:00Z",
      summary: { products: counts, expansions: counts },
      changes
    }
    const [loaded] = JSON.parse(JSON.stringify(acceptAs("changelog", JSON.stringify({ data: [entry] })).taken))
    assert.deepStrictEqual(loaded.changes.products.added, [{ slug: "a", id: 1 }])
    assert.deepStrictEqual(loaded.changes.expansions.added, [{ slug: "b", id: 2 }])
  })
})

describe("laws", () => {
  const field = fc.constantFrom(...Object.keys(card(1)))
  const broken = fc.tuple(field, fc.jsonValue()).map(([key, value]) => card(1, { [key]: value }))
  const price = fc.integer({ min: 0, max: 10 ** 12 }).map((tenThousandths) => tenThousandths / 10_000)
  const good = fc
    .tuple(fc.maxSafeInteger(), fc.string({ unit: "binary" }), price)
    .map(([id, name, low]) =>
      card(id, { name: name.toWellFormed(), pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low } } } })
    )
  const records = fc.array(fc.oneof(good, broken, fc.jsonValue()), { maxLength: 12 })

  it("accepted + refused = sent, for any records", () => {
    fc.assert(
      fc.property(records, (sent) => {
        const page = accept(sent)
        return page.accepted + page.refusals.length === sent.length && page.taken.length === page.accepted
      })
    )
  })
  it("accepted records keep every value and their order, whatever stands beside them", () => {
    fc.assert(
      fc.property(fc.array(good), fc.jsonValue(), (sent, bad) => {
        const text = JSON.stringify({ data: [...sent, bad] }, null, 1)
        assert.deepStrictEqual(taken([], text).slice(0, sent.length), JSON.parse(JSON.stringify(sent)))
      })
    )
  })
})
