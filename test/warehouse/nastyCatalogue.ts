import { Effect } from "effect"
import { card, expansion, type Json, sealed } from "../store/lake/invented.ts"
import { dayOf, nightId } from "./FourNights.ts"
import { storedBackfill } from "../store/lake/storedBackfill.ts"
import { publishNights } from "./publishNights.ts"
import { readAgain } from "./readAgain.ts"

/** Texts that some program between a lake and a warehouse takes for something else. */
export const nastyTexts: ReadonlyArray<string> = [
  "Line one\n\\.\nline three",
  "\\.",
  "\n\r\n\r",
  `"'\`$(id);--`,
  "C:\\new\\table\\",
  "before\u0000after",
  "\u0000",
  "\uFEFFmark",
  "\u0301accent",
  "\u202Eשלום, عالم",
  "🃏👩‍👩‍👧",
  "Zażółć, “gęślą” – €",
  "NULL",
  "\\N",
  " \ttabs\t ",
  "$1",
  "{}",
  "%s",
  "\u007f\u0085\u2028\u001b[2J",
  // More than 65,535 letters, and byte 65,535 is in the middle of one.
  `${"ż".repeat(100)}${"z".repeat(65_251)}${"ż".repeat(200)}`
]

/** What a drop has of a text: the engines that cannot store U+0000 are not to differ from the others. */
export const inDrop = (text: string): string => text.replaceAll("\0", "\uFFFD")

const figures = { low: 1.25, listingCount: 1, availableQuantity: 1 }
const byCondition = (text: string) => ({ [text]: { ...figures, byLanguage: { [text]: figures } } })

/** Everything that a product may say is this text; `place` makes its ids. */
const sayings = (text: string, place: number): Json => ({
  name: text,
  nameSlug: text,
  languages: [text],
  expansionId: place,
  expansion: { id: place, code: text, name: text, symbolUrl: text },
  externalIds: { sourceEur: [{ finish: text, id: place }], mtgId: text },
  imageUrl: text,
  [`key ${text}`]: text
})

const pricesOf = (text: string): Json => ({
  sourceEur: { currency: "EUR", ...figures, byCondition: byCondition(text), [`key ${text}`]: text },
  marketplace: {
    low: { amount: 1.25, currency: "EUR" },
    listingCount: 1,
    availableQuantity: 1,
    regions: { [text]: { currency: "EUR", ...figures, byCondition: byCondition(text), [`key ${text}`]: text } }
  }
})

const cardOf = (text: string, place: number): Json =>
  card(place, {
    ...sayings(text, place),
    finishes: [text],
    pricesByFinish: { [text]: pricesOf(text) },
    attributes: { [text]: text },
    printNumber: text,
    variant: text,
    rarity: text,
    imageBackUrl: text
  })

const expansionOf = (text: string, place: number): Json =>
  expansion(place, {
    slug: text,
    name: text,
    code: text,
    languages: [text],
    logoUrl: text,
    symbolUrl: text,
    attributes: { [text]: text },
    [`key ${text}`]: text
  })

/** Half a pair of surrogates: the record is refused, and its path is stored. */
const refused = (text: string, place: number): Json => card(place, { attributes: { [text]: "\ud800" } })

const none = { added: 0, modified: 0, removed: 0 }
const deployment = (text: string, place: number) => {
  const items = { added: [{ slug: text }], modified: [], removed: [] }
  return {
    id: text,
    deployedAt: `${dayOf(place)}T01:00:00.000Z`,
    summary: { products: none, expansions: none },
    changes: { products: items, expansions: items },
    [`key ${text}`]: text
  }
}

/** What the feed says on a night: every text of everything moves on by one record. */
const feedOf = (night: number) => {
  const texts = nastyTexts.map((_, index) => nastyTexts.at((index + night) % nastyTexts.length) ?? "")
  return {
    completedAt: `${dayOf(night)}T03:00:00.000Z`,
    game: { name: texts.join(""), logoUrl: texts.join(""), [`key ${texts.join("")}`]: texts.join("") },
    expansions: texts.map((text, index) => expansionOf(text, index + 1)),
    products: texts.flatMap((text, index) => [
      cardOf(text, index + 1),
      sealed(index + 101, { ...sayings(text, index + 101), productCategory: text, prices: pricesOf(text) }),
      refused(text, index + 201)
    ]),
    // Newest first, with those of the nights before.
    changelog: [
      ...Array.from({ length: night }, (_, past) => deployment(`${night - past} ${nastyTexts.join("")}`, night - past)),
      ...nastyTexts.map((text) => deployment(text, 1))
    ]
  }
}

/** What the feed files alone say, as a line has at most 1 MB: slugs, and names in other languages. */
const inFeeds = (night: number) => {
  const catalog = nastyTexts.map((text, index) =>
    card(index + 1, { slug: text, translations: { [text]: { name: text, [`key ${text}`]: text } } })
  )
  const { changelog, completedAt } = feedOf(night)
  return { changelog, completedAt, feeds: { catalog, feedExpansions: [], prices: [] } }
}

/** Publishes three nights in which every text of the feed is nasty, the last by feed files, and what a backfill brought. */
export const publishNasty = Effect.gen(function* () {
  yield* publishNights([1, 2, 3].map((place) => [nightId(place), place === 3 ? inFeeds(place) : feedOf(place)]))
  const rows = nastyTexts.map((text) => ["2026-04-01", 1.25, { finish: text, [`key ${text}`]: text }] as const)
  const refusedRow = ["2026-04-01", 1.25, { finish: "" }] as const
  yield* storedBackfill("20260503T040000000Z-0000", new Map([[1, [...rows, refusedRow]]]))
  yield* readAgain(3, `${dayOf(4)}T05:00:00.000Z`)
})
