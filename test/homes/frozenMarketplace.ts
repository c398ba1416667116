import { Effect, Stream } from "effect"
import { streamChanges } from "../../src/store/lake/sequence/streamChanges.ts"
import type { Row } from "../store/lake/tableRows.ts"
import { type Deployed, card, expansion, sealed } from "../store/lake/invented.ts"

/** Two games whose deployments a frozen home has seen in part; later releases read the others. */
export const frozenGames = ["hollowmere", "saltfen"] as const

/** How many deployments of each game the frozen home has seen. The last one of saltfen is held. */
export const seenDeployments = { hollowmere: 6, saltfen: 6 } as const

const count = 24

const prices = (id: number, day: number) => {
  const cents = 100 + ((id * 37 + day * (id % 3) * 11) % 900)
  const low = cents / 100
  const above = (more: number) => (cents + more) / 100
  const depth = { low, listingCount: 2, availableQuantity: 5 }
  const regions = { eu: { currency: "EUR", ...depth, byCondition: { NM: { ...depth, byLanguage: { en: depth } } } } }
  return {
    sourceEur: { currency: "EUR", low, mid: above(100), marketValue: above(25), change7d: (id % 9) - 4.5 },
    ...(id % 3 === 0 ? { sourceUsd: { currency: "USD", low: above(50), marketValue: above(75) } } : {}),
    ...(id % 4 === 0 ? { marketplace: { ...depth, low: { amount: low, currency: "EUR" }, regions } } : {})
  }
}

const product = (gameId: string, id: number, day: number, isPriced: boolean) => {
  const own = {
    gameId,
    game: { id: gameId, name: `Game ${gameId}` },
    expansionId: 1 + (id % 2),
    expansion: { id: 1 + (id % 2), code: `M${1 + (id % 2)}`, name: `Marsh ${1 + (id % 2)}` },
    releaseDate: "2024-05-01T00:00:00.000Z",
    externalIds: { sourceEur: [{ finish: "Standard", id: 7000 + id + (id === 9 && day >= 3 ? 500 : 0) }] }
  }
  if (id % 8 === 7) return sealed(id, { ...own, prices: isPriced ? prices(id, day) : {} })
  return card(id, {
    ...own,
    ...(id === 4 && day >= 2 ? { name: "Wicker Hound, renamed", nameSlug: "wicker-hound-renamed" } : {}),
    finishes: id % 5 === 0 ? ["Standard", "Foil"] : ["Standard"],
    languages: id === 6 && day >= 4 ? ["en", "de"] : ["en"],
    rarity: id % 2 === 0 ? "common" : "rare",
    printNumber: `${id}/${count}`,
    attributes: { cost: id % 7, keywords: ["Marsh"] },
    ...(id === 11 ? { foundNowhere: "a key that the contract does not know" } : {}),
    pricesByFinish: isPriced
      ? { Standard: prices(id, day), ...(id % 5 === 0 ? { Foil: prices(id + 50, day) } : {}) }
      : {}
  })
}

/** A deployment: a window of cards that moves by one card a day, so that cards come and go. */
const deployment = (gameId: string, day: number): Deployed => {
  const isThin = gameId === "saltfen" && day === seenDeployments.saltfen - 1
  const products: Array<object> = Array.from({ length: count }, (_, index) =>
    product(gameId, day + index + 1, day, !isThin || index < count / 2)
  )
  // One record that no contract accepts.
  if (gameId === "hollowmere" && day >= 1) products.push({ ...card(900), gameId, name: 7 })
  return { products, expansions: [1, 2].map((id) => expansion(id, { gameId, cardCount: count / 2 + day })) }
}

export const frozenDeployments = Object.fromEntries(
  frozenGames.map((gameId) => [gameId, Array.from({ length: 12 }, (_, day) => deployment(gameId, day))])
)

/** One refused record of 25 does not hold a night in these homes. */
export const frozenSettings = { CARDLAKE_HOLD_REFUSED: "0.1" }

/** Questions to a frozen home; the release that wrote it has answered them, too. */
export const frozenQuestions: ReadonlyArray<readonly [name: string, sql: string]> = [
  [
    "products of today",
    "select game_id, product_id, name, rarity, expansion_code, languages from products_at('2026-06-30')"
  ],
  ["products in May", "select game_id, product_id, name, rarity, expansion_code from products_at('2026-05-21')"],
  ["expansions in May", "select game_id, expansion_id, name, card_count from expansions_at('2026-05-21')"],
  [
    "external ids in June",
    "select game_id, product_id, system, finish, external_id from external_ids_at('2026-06-04')"
  ],
  [
    "prices in May",
    "select game_id, product_id, finish, source, currency, low, mid, market_value from prices_at('2026-05-21')"
  ],
  [
    "live prices in June",
    "select game_id, product_id, finish, region, currency, low from marketplace_prices_at('2026-06-04')"
  ],
  [
    "every price",
    "select game_id, product_id, finish, source, seen_at, low, mid, high, market_value, change_7d from source_price_history"
  ],
  [
    "every version",
    "select game_id, product_id, valid_from, valid_to, name, print_number, languages, finishes from product_history"
  ],
  [
    "publications",
    "select sequence, game_id, kind, published_at, from_snapshot, to_snapshot, run_id, why from publications"
  ],
  ["every expansion", "select game_id, expansion_id, valid_from, valid_to, name, card_count from expansion_history"],
  [
    "changes",
    "select game_id, entity, id, change, field, old, new from changes semi join (select game_id, snapshot as to_snapshot from nights) using (game_id, to_snapshot)"
  ],
  ["refusals", "select game_id, list, record_id, path from refusals"],
  ["drift", "select game_id, kind, place, word, records from drift"],
  ["deployments", "select game_id, deployment_id, deployed_at from deployments"]
]

/** The number after which the frozen home can still say what changed. */
export const fedSince = 5

/** The entries of every publication after a number, and the next number. */
export const feedSince = Effect.fnUntraced(function* (since: number) {
  const found = yield* streamChanges({ since, games: [] })
  if (found._tag === "Restart") return [{ restart: found.sequence }]
  const text = yield* Stream.mkString(Stream.decodeText(Stream.concat(found.entries, found.end)))
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
}, Effect.scoped)
