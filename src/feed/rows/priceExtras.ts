import { isObject } from "./isObject.ts"

/**
 * Paths of price blocks and of the regions in them: they keep their unknown keys, under `extra`.
 */
export const priceBlocks = /^(?:prices|pricesByFinish\.\*)\.[^.]+\.(?:regions\.\*\.)?$/

/** A value with the keys of its objects sorted, at any depth: equal values give equal texts. */
export const inOrder = (value: unknown): unknown => {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}

/**
 * What a product has beyond the contract, as the loader takes it: `priceExtra` has whole price
 * blocks of unknown sources, which move as prices do; `extra` has the rest.
 */
export const productExtras = (extra: Readonly<Record<string, unknown>>) => {
  const { prices, pricesByFinish, ...rest } = extra
  const blocks = {
    ...(prices === undefined ? {} : { prices }),
    ...(pricesByFinish === undefined ? {} : { pricesByFinish })
  }
  return {
    ...(Object.keys(rest).length > 0 ? { extra: rest } : {}),
    ...(Object.keys(blocks).length > 0 ? { priceExtra: inOrder(blocks) } : {})
  }
}
