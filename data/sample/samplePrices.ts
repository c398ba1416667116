/** A stream of numbers below `bound`, the same in every run. */
export type Chance = (bound: number) => number

export const makeChance = (seed: number): Chance => {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mix = Math.imul(state ^ (state >>> 15), state | 1)
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61)
    return ((mix ^ (mix >>> 14)) >>> 0) % bound
  }
}

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

const regionBlock = (currency: "EUR" | "USD", cents: number, chance: Chance): Json => {
  const listingCount = chance(9) + 3
  const low = euros(cents)
  // One listing is graded: it is in the total and in no condition.
  const byLanguage = { en: { low, listingCount: 1, availableQuantity: 1 } }
  return {
    currency,
    low,
    listingCount,
    availableQuantity: listingCount * 2,
    byCondition:
      chance(8) === 0
        ? { NM: { low, listingCount: listingCount - 1, availableQuantity: listingCount, byLanguage } }
        : {}
  }
}

const marketplaceBlock = (cents: number, chance: Chance): Json => {
  const regions: Json = { eu: regionBlock("EUR", cents, chance) }
  if (chance(2) === 0) regions["na"] = regionBlock("USD", cents * 1.08, chance)
  const totals = Object.values(regions) as ReadonlyArray<{ listingCount: number; availableQuantity: number }>
  return {
    low: { amount: euros(cents), currency: "EUR" },
    listingCount: totals.reduce((sum, each) => sum + each.listingCount, 0),
    availableQuantity: totals.reduce((sum, each) => sum + each.availableQuantity, 0),
    regions
  }
}

/** Price blocks of one finish around `cents`; any of them may be absent. */
export const samplePrices = (cents: number, chance: Chance): Json => ({
  ...(chance(5) < 3 ? { sourceEur: sourceBlock("EUR", cents, chance) } : {}),
  ...(chance(5) < 3 ? { sourceUsd: sourceBlock("USD", cents * 1.08, chance) } : {}),
  ...(chance(5) < 2 ? { marketplace: marketplaceBlock(cents * 0.9, chance) } : {})
})
