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

const marketplaceBlock = (cents: number, soldAs: SoldAs, chance: Chance, counts = 9): Json => {
  const drawn = () => {
    const count = chance(counts) + 3
    // Not used: without it, every figure after it would be another one.
    chance(8)
    return count
  }
  const low = Math.round(cents)
  const eu = regionBlock("EUR", { low, count: drawn() }, soldAs)
  const na =
    counts === 9 && chance(2) === 0
      ? regionBlock("USD", { low: Math.round(cents * 1.08), count: drawn() }, soldAs)
      : undefined
  return {
    low: { amount: Math.min(eu.low, euros(((na?.low ?? Infinity) * 100) / usdPerEuro)), currency: "EUR" },
    listingCount: eu.listingCount + (na?.listingCount ?? 0),
    availableQuantity: eu.availableQuantity + (na?.availableQuantity ?? 0),
    regions: { eu, ...(na === undefined ? {} : { na }) }
  }
}

/**
 * Price blocks of one finish around `cents`. Most finishes have each block; `own` draws those that `chance` leaves
 * out, with fewer listings. In one finish of eighty the American source has another price level.
 */
export const samplePrices = (cents: number, soldAs: SoldAs, chance: Chance, own: Chance): Json => {
  const usd = cents * (own(80) === 0 ? 2.6 : 1.08)
  const sourceEur = chance(5) < 3 ? sourceBlock("EUR", cents, chance) : undefined
  const sourceUsd = chance(5) < 3 ? sourceBlock("USD", usd, chance) : undefined
  const marketplace = chance(5) < 2 ? marketplaceBlock(cents * 0.9, soldAs, chance) : undefined
  const isThere = () => own(10) > 0
  return {
    ...(isThere() ? { sourceEur: sourceEur ?? sourceBlock("EUR", cents, own) } : {}),
    ...(isThere() ? { sourceUsd: sourceUsd ?? sourceBlock("USD", usd, own) } : {}),
    ...(own(6) > 0 ? { marketplace: marketplace ?? marketplaceBlock(cents * 0.9, soldAs, own, 2) } : {})
  }
}

/** The least price of a card in cents, by the share of cards that cost less: most cost cents, a few hundreds of euros. */
const steps = [
  [0, 3],
  [0.45, 12],
  [0.7, 45],
  [0.85, 180],
  [0.94, 900],
  [0.985, 4_500],
  [1, 42_000]
] as const

/** The price of a card, for a draw from 0 to 1. */
export const cardCents = (draw: number): number => {
  const above = steps.findIndex(([share], at) => at > 0 && draw <= share)
  const [[from, low], [to, high]] = [steps[above - 1] ?? steps[0], steps[above] ?? steps[0]]
  return Math.round(low * (high / low) ** ((draw - from) / (to - from)))
}

/** Least and greatest price of a sealed product in euros, by its category. */
const sealedEuros: { readonly [category: string]: readonly [low: number, high: number] } = {
  booster_box: [80, 250],
  booster_case: [520, 1100],
  booster_pack: [3, 7],
  bundle: [32, 60],
  prerelease_kit: [18, 35],
  redemption_box: [60, 150]
}

/** The price of a sealed product, for a draw from 0 to 1. */
export const sealedCents = (category: string, draw: number): number => {
  const [low, high] = sealedEuros[category] ?? [25, 70]
  return Math.round(100 * (low + (high - low) * draw))
}
