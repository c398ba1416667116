import { card, expansion, type Json, sealed } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"
import { Pages } from "./explored.ts"

/** The days of the readings: the last two are 8 days apart, the first is 42 days old. */
const days = ["2026-03-20", "2026-04-01", "2026-04-23", "2026-05-01"]

const block = (currency: string, marketValue: number, more: Json = {}) => ({ currency, marketValue, ...more })
const priced = (blocks: Json): Json => ({ pricesByFinish: { Standard: blocks } })
const inSet = (id: number, printNumber: string): Json => ({
  expansionId: id,
  expansion: { id, code: `M${id}`, name: `Marsh ${id}` },
  printNumber
})
export const longName = `Our ${"Very Long ".repeat(13)}Name`

/** A card with every kind of price and much to tell. */
const first = (index: number): Json =>
  card(1, {
    ...inSet(71, "2"),
    rarity: "rare",
    variant: "Showcase",
    languages: ["en", "de", "ph"],
    finishes: ["Standard", "Foil"],
    attributes: { cardType: "Unit", domains: ["Mind", "Body"], isToken: false, printed: "2026-01-30T00:00:00.000Z" },
    externalIds: { sourceEur: [{ finish: "Standard", id: 100 }], mtgOracleId: "o-1" },
    pricesByFinish: {
      Standard: {
        sourceEur: block("EUR", [8, 10, 12, 9][index] ?? 0, { low: 6, high: 14, change7d: 99 }),
        sourceUsd: block("USD", [20, 20, 20, 25][index] ?? 0)
      },
      ...(index === 1 ? {} : { Foil: { sourceEur: block("EUR", [40, 0, 42, 42][index] ?? 0) } })
    }
  })

const night = (index: number) => ({
  completedAt: `${days[index]}T03:00:00.000Z`,
  products: [
    first(index),
    card(2, inSet(71, "10")),
    ...(index < 3 ? [] : [card(3, { ...inSet(71, "1"), ...priced({ sourceEur: block("EUR", 5) }) })]),
    card(4, index < 2 ? priced({ sourceEur: block("EUR", 3 + index) }) : {}),
    card(5, priced({ sourceEur: index < 3 ? block("EUR", 10) : block("USD", 11) })),
    ...(index === 3 ? [] : [card(6, priced({ sourceEur: block("EUR", 7) }))]),
    card(7, { name: longName, ...priced({ sourceEur: block("EUR", 1), sourceUsd: block("USD", 1) }) }),
    card(8, {
      finishes: Array.from({ length: 8 }, (_, place) => `Foil ${place}`),
      pricesByFinish: Object.fromEntries(
        Array.from({ length: 8 }, (_, place) => [`Foil ${place}`, { sourceEur: block("EUR", place + 1) }])
      )
    }),
    sealed(9, { prices: { sourceEur: block("EUR", 66) } }),
    card(11, { ...inSet(72, "7"), name: "Wicker Hound 1", ...priced({ sourceEur: block("EUR", 30) }) }),
    card(13, {
      releaseDate: "2026-04-10T00:00:00.000Z",
      ...priced({ sourceEur: block("EUR", 10, { low: 0.01, high: 900 }) })
    }),
    card(12, { name: "Another Hound", externalIds: { mtgOracleId: "o-1" } })
  ],
  expansions: [expansion(71), expansion(72, { releaseDate: "2026-01-01T00:00:00.000Z" })]
})

/** Four nights in six weeks of a game whose products show every case of a price. */
export const pricedProducts = Pages.filled("priced products", publishNights(days.map((_, index) => night(index))))
