import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { idOf, card, expansion } from "../invented.ts"
import { homeAfter, publishNights } from "../handMadeNights.ts"

/** One place for each night: read on 1, 2, 4 and 20 May, and on no other day. */
const days = ["2026-05-01", "2026-05-02", "2026-05-04", "2026-05-20"]
const eur = (marketValue: number, more: object = {}) => ({ sourceEur: { currency: "EUR", marketValue, ...more } })
const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }

/** Card 1 loses its foil on the fourth; 2 is away on that day, and back on the twentieth; 3 is new on the fourth. */
const night = (place: number) => {
  const isLater = place >= 2
  const usd = { sourceUsd: { currency: "USD", marketValue: [5, 5, 8, 10][place] } }
  const lasts = place === 3 ? { change24h: 25, change7d: 20, change30d: 50 } : {}
  const value = [10, 10, 12, 15][place] ?? 0
  const standard = eur(value, { low: value - 1, mid: value, high: value + 1, ...lasts })
  const listed = {
    marketplace: { low: { amount: 6 + place, currency: "EUR" }, listingCount: 1 + place, availableQuantity: 9 }
  }
  return {
    completedAt: `${days[place]}T03:00:00.000Z`,
    expansions: [expansion(71, { name: isLater ? "Fen" : "Marsh", releaseDate: "2026-05-01T00:00:00.000Z" })],
    products: [
      card(1, {
        ...inMarsh,
        finishes: isLater ? ["Standard"] : ["Standard", "Foil"],
        externalIds: { sourceEur: [{ finish: "Standard", id: isLater ? 101 : 100 }] },
        pricesByFinish: { Standard: { ...standard, ...usd, ...listed }, ...(isLater ? {} : { Foil: eur(20) }) }
      }),
      ...(place === 2 ? [] : [card(2, { ...inMarsh, pricesByFinish: { Standard: eur(place === 3 ? 6 : 4) } })]),
      ...(isLater ? [card(3, { ...inMarsh, pricesByFinish: { Standard: eur(place === 3 ? 10 : 8) } })] : [])
    ]
  }
}

/** A home of four days that were read, and sixteen between them that were not. */
export const fourDays = homeAfter(function* () {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,USD\n2026-05-01,1.25\n2026-05-03,1.6\n2026-05-20,2\n",
    loadedAt: "2026-05-21T00:00:00Z"
  })
  yield* publishNights(days.map((_, place) => night(place)))
})
