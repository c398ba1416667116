import { type Chance, regionBlock, type SoldAs } from "./sampleListings.ts"

type Json = { [key: string]: unknown }

const euros = (cents: number) => Math.round(cents) / 100

/** Draws whose results are not used: without them, every figure after them would be another one. */
const skipDraws = (chance: Chance): Json => {
  if (chance(3) === 0) [800, 2000].forEach(chance)
  if (chance(15) === 0 && chance(4) !== 0) chance(30_000)
  return {}
}

/** A source without its percentages, which follow from the prices of earlier deployments. */
const sourceBlock = (currency: "EUR" | "USD", cents: number, chance: Chance): Json => ({
  currency,
  ...(chance(12) === 0 ? {} : { low: euros(cents * 0.8) }),
  ...(chance(6) === 0 ? {} : { mid: euros(cents * 1.1) }),
  ...(chance(5) === 0 ? { high: euros(cents * 3) } : {}),
  // A zero beside a real low happens; it is the source's word and not ours to mend.
  marketValue: chance(40) === 0 ? 0 : euros(cents),
  ...skipDraws(chance),
  ...(chance(25) === 0
    ? {
        byCondition: {
          NM: {
            low: euros(cents * 0.8),
            listingCount: 4,
            byLanguage: { en: { low: euros(cents * 0.8) }, "pt-BR": {} }
          },
          HP: { low: euros(cents * 0.4) }
        }
      }
    : {})
})

/** What a euro costs in the sandbox. */
const usdPerEuro = 1.1

const marketplaceBlock = (cents: number, soldAs: SoldAs, chance: Chance): Json => {
  const drawn = () => {
    const count = chance(9) + 3
    // Not used: without it, every figure after it would be another one.
    chance(8)
    return count
  }
  const low = Math.round(cents)
  const eu = regionBlock("EUR", { low, count: drawn() }, soldAs)
  const na = chance(2) === 0 ? regionBlock("USD", { low: Math.round(cents * 1.08), count: drawn() }, soldAs) : undefined
  return {
    low: { amount: Math.min(eu.low, euros(((na?.low ?? Infinity) * 100) / usdPerEuro)), currency: "EUR" },
    listingCount: eu.listingCount + (na?.listingCount ?? 0),
    availableQuantity: eu.availableQuantity + (na?.availableQuantity ?? 0),
    regions: { eu, ...(na === undefined ? {} : { na }) }
  }
}

/** Price blocks of one finish around `cents`; any of them may be absent. */
export const samplePrices = (cents: number, soldAs: SoldAs, chance: Chance): Json => ({
  ...(chance(5) < 3 ? { sourceEur: sourceBlock("EUR", cents, chance) } : {}),
  ...(chance(5) < 3 ? { sourceUsd: sourceBlock("USD", cents * 1.08, chance) } : {}),
  ...(chance(5) < 2 ? { marketplace: marketplaceBlock(cents * 0.9, soldAs, chance) } : {})
})
