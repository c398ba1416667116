/** An invented game: the smallest records that the contract accepts. Each test varies them. */
export const gameId = "hollowmere"
const game = { id: gameId, name: "Hollowmere" }
export const gameRecord = { ...game, releaseDate: "2021-09-03T00:00:00.000Z" }

export type Json = Readonly<Record<string, unknown>>

/** A card without price, expansion or external id. */
export const card = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  game,
  name: `Wicker Hound ${id}`,
  nameSlug: `wicker-hound-${id}`,
  languages: ["en"],
  productType: "card",
  finishes: ["Standard"],
  pricesByFinish: {},
  attributes: {},
  ...more
})

/** A sealed product without price. */
export const sealed = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  game,
  name: `Marsh Booster Box ${id}`,
  nameSlug: `marsh-booster-box-${id}`,
  languages: ["en"],
  productType: "sealed",
  productCategory: "booster_box",
  prices: {},
  ...more
})

export const expansion = (id: number, more: Json = {}): Json => ({
  id,
  gameId,
  slug: `marsh-${id}`,
  name: `Marsh ${id}`,
  code: `M${id}`,
  ...more
})

/** A card whose only price is `low` of sourceEur under Standard, its figure as raw text. */
export const cardText = (id: number | string, low: string): string =>
  JSON.stringify(card(0, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: "LOW" } } } }))
    .replace('"id":0', `"id":${id}`)
    .replace('"LOW"', low)
