import * as fc from "fast-check"
import { card, expansion, type Json, sealed } from "../lake/invented.ts"

/** What a feed has at one moment, by id. */
export interface Catalogue {
  readonly products: ReadonlyMap<number, Json>
  readonly expansions: ReadonlyMap<number, Json>
}

const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined, freq: 2 })
const word = fc.constantFrom("reed", "silt", "NULL", "", "꞉ton", `"x', {y}`, "[]")
const price = fc.constantFrom(0, 0.1, 14.99, 100, 234567.89)
const count = fc.constantFrom(0, 1, 7)
const day = fc.constantFrom("2024-03-01T00:00:00.000Z", "2031-12-31T00:00:00.000Z", "nullT00:00:00.000Z", null)
const finish = fc.constantFrom("Standard", "Foil", "Gold Cold Foil")

const keysOf = <A>(keys: ReadonlyArray<string>, value: fc.Arbitrary<A>) =>
  fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 2 })

/** An object in both orders of its keys: the same value, another text. */
const inAnyOrder = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(value, fc.boolean()).map(([object, turned]) => {
    const entries = Object.entries(object).filter(([, inner]) => inner !== undefined)
    return Object.fromEntries(turned ? entries.toReversed() : entries)
  })

const depth = (low: fc.Arbitrary<number | undefined>) =>
  inAnyOrder(fc.record({ low, listingCount: count, availableQuantity: count }))
const conditions = (low: fc.Arbitrary<number | undefined>) =>
  keysOf(
    ["NM", "LP", "WET"],
    fc
      .tuple(depth(low), maybe(keysOf(["en", "zh-Hans"], depth(low))))
      .map(([bucket, byLanguage]) => (byLanguage === undefined ? bucket : Object.assign(bucket, { byLanguage })))
  )
const source = (currency: string) =>
  maybe(
    inAnyOrder(
      fc.record({
        currency: fc.constant(currency),
        low: maybe(price),
        mid: fc.option(price),
        marketValue: maybe(price),
        change7d: fc.option(fc.constantFrom(-2.5, 0, 10900)),
        byCondition: maybe(conditions(maybe(price)))
      })
    )
  )
const region = (currency: string) =>
  fc
    .tuple(depth(price), maybe(conditions(price)))
    .map(([bucket, byCondition]) =>
      Object.assign(bucket, { currency }, byCondition === undefined ? {} : { byCondition })
    )
const marketplace = inAnyOrder(
  fc.record({
    low: price.map((amount) => ({ amount, currency: "EUR" })),
    listingCount: count,
    availableQuantity: count,
    regions: maybe(inAnyOrder(fc.record({ eu: maybe(region("EUR")), na: maybe(region("USD")) })))
  })
)
const blocks = inAnyOrder(
  fc.record({ sourceEur: source("EUR"), sourceUsd: source("USD"), marketplace: maybe(marketplace) })
)
const pricesByFinish = fc.dictionary(finish, blocks, { maxKeys: 2 })

const attribute: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1, 1.5, 1.5e30, 1.5e300, "1", "", [], {}, "a.b"),
  fc.shuffledSubarray([1, 2, 3]),
  inAnyOrder(
    fc.record({ cost: fc.constantFrom(0, 1), kind: word, deep: maybe(fc.constant({ a: [{ b: 1, c: null }] })) })
  )
)
const attributes = inAnyOrder(fc.record({ kind: maybe(attribute), "a.b": maybe(attribute), list: maybe(attribute) }))

const ids = fc.array(fc.record({ finish, id: fc.constantFrom(0, 4711) }), { maxLength: 2 })
const externalIds = fc
  .constantFrom(undefined, null, {})
  .chain((absent) =>
    fc.oneof(
      fc.constant(absent),
      inAnyOrder(
        fc.record({ sourceEur: maybe(ids), sourceUsd: fc.option(ids), mtgId: maybe(word), fabId: fc.option(word) })
      )
    )
  )
const embedded = fc.option(fc.record({ id: fc.constantFrom(71, 72), code: fc.option(word), name: word }))

const common = {
  name: word,
  nameSlug: word,
  languages: fc.shuffledSubarray(["en", "ja", "ph"]),
  expansionId: fc.option(fc.constantFrom(71, 2 ** 53 - 1)),
  expansion: embedded,
  externalIds,
  imageUrl: maybe(word),
  releaseDate: maybe(day),
  mood: maybe(attribute)
}
const without = (record: Json): Json => Object.fromEntries(Object.entries(record).filter(([, it]) => it !== undefined))

const product = (id: number): fc.Arbitrary<Json> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({
          ...common,
          finishes: fc.shuffledSubarray(["Standard", "Foil"]),
          pricesByFinish,
          attributes,
          printNumber: maybe(word),
          variant: fc.option(word),
          rarity: maybe(word)
        })
        .map((more) => card(id, without(more)))
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ ...common, prices: blocks, productCategory: word })
        .map((more) => sealed(id, without(more)))
    }
  )

const oneExpansion = (id: number): fc.Arbitrary<Json> =>
  fc
    .record({
      slug: fc.option(word),
      name: word,
      code: fc.option(word),
      languages: maybe(fc.shuffledSubarray(["en", "ja"])),
      releaseDate: maybe(day),
      cardCount: fc.option(count),
      symbolUrl: maybe(word),
      attributes: maybe(attributes),
      mood: maybe(attribute)
    })
    .map((more) => expansion(id, without(more)))

/**
 * The record with a few of its fields from another one; the other record itself if the two are of
 * different kinds.
 */
const worn = (record: Json, other: Json, fields: ReadonlyArray<number>): Json => {
  if (record["productType"] !== other["productType"]) return other
  const keys = [...new Set([...Object.keys(record), ...Object.keys(other)])]
  const moved = new Set(fields.map((field) => keys[field % keys.length] ?? ""))
  return without(Object.fromEntries(keys.map((key) => [key, (moved.has(key) ? other : record)[key]])))
}

/** One item through the moments: absent, kept, worn in a few fields, or replaced. */
const life = (record: (id: number) => fc.Arbitrary<Json>, id: number, moments: number) =>
  fc
    .record({
      states: fc.array(record(id), { minLength: moments, maxLength: moments }),
      fates: fc.array(fc.constantFrom("kept", "worn", "worn", "worn", "gone", "other"), {
        minLength: moments,
        maxLength: moments
      }),
      fields: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 })
    })
    .map(({ fates, fields, states }) => {
      const [first = {}] = states
      let now: Json = first
      return states.map((other, moment) => {
        const fate = fates[moment]
        if (moment > 0 && fate === "worn") now = worn(now, other, fields)
        if (fate === "other") now = other
        return fate === "gone" ? undefined : now
      })
    })

/**
 * A small catalogue at several moments: items come, go, return and change. Ids of products and
 * expansions overlap.
 */
export const wornCatalogues = (moments: number, products: number): fc.Arbitrary<ReadonlyArray<Catalogue>> =>
  fc
    .record({
      products: fc.tuple(...Array.from({ length: products }, (_, index) => life(product, index + 1, moments))),
      expansions: fc.tuple(...Array.from({ length: 8 }, (_, index) => life(oneExpansion, index + 1, moments)))
    })
    .map((lives) => {
      const at = (items: ReadonlyArray<ReadonlyArray<Json | undefined>>, moment: number) =>
        new Map(
          items.flatMap((item, index) => (item[moment] === undefined ? [] : [[index + 1, item[moment]] as const]))
        )
      return Array.from({ length: moments }, (_, moment) => ({
        products: at(lives.products, moment),
        expansions: at(lives.expansions, moment)
      }))
    })
