import { isPlainObject, type Json } from "../Json.ts"

/** Percent changes and how many days they look back. Spec: Prices. */
export const windows = { change24h: 1, change7d: 7, change30d: 30 } as const

/** A product as it was at the beginning of each window, where the price history has that day. */
export type EarlierProducts = { readonly [window in keyof typeof windows]?: Json }

const sources = ["sourceEur", "sourceUsd"] as const

const objectIn = (parent: unknown, key: string): Json => {
  const found = isPlainObject(parent) ? parent[key] : undefined
  return isPlainObject(found) ? found : {}
}

const valueOf = (block: Json): number => (typeof block["marketValue"] === "number" ? block["marketValue"] : 0)

/** The price blocks with the percentages that the earlier ones give. */
const changed = (blocks: unknown, earlier: (window: keyof typeof windows) => Json): unknown => {
  if (!isPlainObject(blocks)) return blocks
  const out: Record<string, unknown> = { ...blocks }
  for (const source of sources) {
    if (!isPlainObject(blocks[source])) continue
    const { change24h: _day, change7d: _week, change30d: _month, ...block } = blocks[source]
    const now = valueOf(block)
    const changes = (["change24h", "change7d", "change30d"] as const).flatMap((window) => {
      const old = valueOf(objectIn(earlier(window), source))
      return old > 0 && now > 0 ? [[window, Math.round((now / old - 1) * 10_000) / 100]] : []
    })
    out[source] = { ...block, ...Object.fromEntries(changes) }
  }
  return out
}

/** A product whose percentages agree with what it cost before. Other percentages that it had are gone. */
export const withPercentages = (product: Json, earlier: EarlierProducts): Json => {
  const { prices, pricesByFinish } = product
  return {
    ...product,
    ...(prices === undefined ? {} : { prices: changed(prices, (window) => objectIn(earlier[window], "prices")) }),
    ...(isPlainObject(pricesByFinish)
      ? {
          pricesByFinish: Object.fromEntries(
            Object.entries(pricesByFinish).map(([finish, blocks]) => [
              finish,
              changed(blocks, (window) => objectIn(objectIn(earlier[window], "pricesByFinish"), finish))
            ])
          )
        }
      : {})
  }
}
