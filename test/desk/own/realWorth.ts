/** A price as ten-thousandths, from a number's own text. */
const exact = (text: string): bigint => {
  const [whole = "0", places = ""] = text.split(".")
  return BigInt(whole + places.padEnd(4, "0").slice(0, 4))
}

/** Ten-thousandths as DuckDB writes a DECIMAL of four places. */
export const figure = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(5, "0")
  return `${value < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** What a deployment's file says: market values above nothing, of the game's one source, by `product/finish`. */
export interface RealNight {
  readonly prices: ReadonlyMap<string, bigint>
  readonly finishes: ReadonlyMap<string, ReadonlyArray<string>>
  /** Cards of each expansion. */
  readonly cardsOf: ReadonlyMap<string, ReadonlyArray<string>>
}

type Block = Readonly<Record<string, { readonly marketValue?: string } | undefined>>
interface Product {
  readonly id: string
  readonly productType: string
  readonly expansionId?: string | null
  readonly finishes?: ReadonlyArray<string>
  readonly prices?: Block
  readonly pricesByFinish?: Readonly<Record<string, Block>>
}

const numbersAsTexts = (_: string, value: unknown, context: { source: string }) =>
  typeof value === "number" ? context.source : value

export const realNight = (lines: ReadonlyArray<string>): RealNight => {
  const prices = new Map<string, bigint>()
  const finishes = new Map<string, ReadonlyArray<string>>()
  const cardsOf = new Map<string, Array<string>>()
  for (const line of lines) {
    const product = JSON.parse(line, numbersAsTexts as (key: string, value: unknown) => unknown) as Product
    const isSealed = product.productType === "sealed"
    const byFinish = isSealed ? { Standard: product.prices ?? {} } : (product.pricesByFinish ?? {})
    finishes.set(product.id, isSealed ? ["Standard"] : (product.finishes ?? []))
    for (const [finish, block] of Object.entries(byFinish)) {
      const text = (block["sourceEur"] ?? block["sourceUsd"])?.marketValue
      const value = text === undefined ? 0n : exact(text)
      if (value > 0n) prices.set(`${product.id}/${finish}`, value)
    }
    if (isSealed || product.expansionId === undefined || product.expansionId === null) continue
    const cards = cardsOf.get(product.expansionId) ?? []
    cards.push(product.id)
    cardsOf.set(product.expansionId, cards)
  }
  return { prices, finishes, cardsOf }
}

/** What so many cards of a printing were worth on a night; null = it had no price. */
export const worthOf = ({ prices }: RealNight, key: string, cards: bigint): bigint | null => {
  const price = prices.get(key)
  return price === undefined ? null : price * cards
}

/** The sum of every night, and how many cards are in it. */
export const seriesOf = (nights: ReadonlyArray<RealNight>, mine: ReadonlyMap<string, bigint>) =>
  nights.map((night) => {
    let [value, cards] = [0n, 0n]
    for (const [key, count] of mine) {
      const worth = worthOf(night, key, count)
      if (worth === null) continue
      value += worth
      cards += count
    }
    return { value, cards }
  })
