import { homeAfter } from "../handMadeNights.ts"
import { card, expansion, type Json, sealed } from "../invented.ts"
import { publishEightNights } from "../publishEightNights.ts"

const eur = (marketValue: number, more: Json = {}) => ({
  currency: "EUR",
  low: marketValue / 2,
  mid: marketValue,
  marketValue,
  ...more
})
const usd = (marketValue: number) => ({ currency: "USD", marketValue })
const region = (currency: string, low: number, byCondition: Json = {}) => ({
  currency,
  low,
  listingCount: 5,
  availableQuantity: 9,
  byCondition
})
const listed = { low: { amount: 8, currency: "EUR" }, listingCount: 10, availableQuantity: 18 }
const english = (low: number) => ({ low, listingCount: 3, availableQuantity: 4 })
const bucket = (low: number) => ({
  low,
  listingCount: 4,
  availableQuantity: 5,
  byLanguage: { en: english(low), ja: { ...english(low + 1), listingCount: 1 } }
})

const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }
const ids = (...entries: ReadonlyArray<readonly [finish: string, id: number]>) => ({
  externalIds: { sourceEur: entries.map(([finish, id]) => ({ finish, id })) }
})

/**
 * Eight nights: card 1 climbs by 1 a night from 10, and its Foil stays at 40;
 * card 2 falls from 6 to 5 and has no price on the fourth.
 */
const night = (index: number) => ({
  products: [
    card(1, {
      ...inMarsh,
      finishes: ["Standard", "Foil"],
      ...ids(["Standard", 100], ["Foil", 101]),
      pricesByFinish: {
        Standard: {
          sourceEur: eur(10 + index, { change24h: index === 7 ? 6.25 : 0, change7d: index === 7 ? 50 : null }),
          sourceUsd: usd(10 + index),
          marketplace: {
            ...listed,
            // The cheapest of each region is a worn copy.
            regions: {
              eu: region("EUR", 6, { NM: bucket(8), LP: bucket(6) }),
              na: region("USD", 11, { NM: bucket(22), DMG: bucket(11) })
            }
          }
        },
        Foil: { sourceEur: eur(40) }
      }
    }),
    card(2, {
      ...inMarsh,
      name: index < 5 ? "Wicker Hound 2" : "Wicker Dog",
      finishes: ["Standard", "Foil"],
      ...ids(["Standard", index === 0 ? 999 : 100], ["Standard", 102]),
      pricesByFinish: index === 3 ? {} : { Standard: { sourceEur: eur(index === 7 ? 5 : 6), sourceUsd: usd(90) } }
    }),
    ...(index === 0 ? [card(3, ids(["Standard", 103]))] : [card(4, ids(["Standard", 103]))]),
    sealed(9, {
      ...inMarsh,
      prices: {
        sourceEur: eur(66),
        marketplace: { ...listed, regions: { eu: region("EUR", 60), na: region("USD", 110) } }
      }
    })
  ],
  expansions: [expansion(71, { releaseDate: "2026-04-30T00:00:00.000Z" })]
})

export const eightNights = homeAfter(function* () {
  yield* publishEightNights(night)
})
