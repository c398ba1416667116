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

/** What of a product its listings have to fit. */
export interface SoldAs {
  readonly isCard: boolean
  readonly languages: ReadonlyArray<string>
}

/** One listing; a graded copy and a sealed product have no condition. */
interface SampleListing {
  readonly cents: number
  readonly quantity: number
  readonly condition: string | null
  readonly language: string
}

const conditions = ["NM", "NM", "NM", "NM", "LP", "LP", "MP", "HP"]

/** This many listings, the first one at the lowest price; on average, each has two copies. */
const draw = (
  low: number,
  count: number,
  { isCard, languages }: SoldAs,
  chance: Chance
): ReadonlyArray<SampleListing> =>
  Array.from({ length: count }, (_, at) => ({
    cents: at === 0 ? low : low + chance(Math.max(1, low >> 1)),
    quantity: at === count - 1 && count % 2 === 1 ? 2 : at % 2 === 0 ? 1 : 3,
    condition: isCard && chance(10) > 0 ? (conditions[chance(conditions.length)] ?? "NM") : null,
    language: languages[chance(3) === 0 ? chance(languages.length || 1) : 0] ?? "en"
  }))

const depth = (listings: ReadonlyArray<SampleListing>) => ({
  low: Math.min(...listings.map(({ cents }) => cents)) / 100,
  listingCount: listings.length,
  availableQuantity: listings.reduce((sum, { quantity }) => sum + quantity, 0)
})

const byWord = <A>(
  listings: ReadonlyArray<SampleListing>,
  words: ReadonlyArray<string>,
  key: "condition" | "language",
  make: (some: ReadonlyArray<SampleListing>) => A
) =>
  Object.fromEntries(
    words.flatMap((word) => {
      const some = listings.filter((listing) => listing[key] === word)
      return some.length === 0 ? [] : [[word, make(some)]]
    })
  )

/** A region's block, counted from listings that are drawn around these totals. */
export const regionBlock = (
  currency: "EUR" | "USD",
  { count, low }: { readonly low: number; readonly count: number },
  soldAs: SoldAs
) => {
  const listings = draw(low, count, soldAs, makeChance(low * 31 + count * 7 + (currency === "EUR" ? 1 : 2)))
  const languages = [...new Set(listings.map(({ language }) => language))].toSorted()
  return {
    currency,
    ...depth(listings),
    byCondition: byWord(listings, ["NM", "LP", "MP", "HP"], "condition", (some) => ({
      ...depth(some),
      byLanguage: byWord(some, languages, "language", depth)
    }))
  }
}
