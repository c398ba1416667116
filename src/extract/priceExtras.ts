/**
 * Paths of price blocks and of the regions in them: a key that the contract does not know stays there, under `extra`.
 */
export const priceBlocks = /^(?:prices|pricesByFinish\.\*)\.\w+\.(?:regions\.\*\.)?$/

/** A value with the keys of its objects in one order, however deep: what says the same is the same text. */
export const inOrder = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}

/**
 * What a product carries beyond the contract, as the loader takes it: `priceExtra` are whole
 * price blocks of sources that are not known, which move as prices do; `extra` is the rest.
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
