import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"

/**
 * A path of products in the spec's words. What a block has elsewhere, all blocks have there, also where none was
 * captured: of sealed products, and of cards.
 */
export const specPath = (
  path: ReadonlyArray<string>,
  { blocks, ids }: Pick<Dialect, "blocks" | "ids">
): ReadonlyArray<string> => {
  const [first = ""] = path
  const place = first === "pricesByFinish" ? 2 : first === "prices" || first === "externalIds" ? 1 : 0
  const words = Object.entries<string>(first === "externalIds" ? ids : blocks)
  if (place === 0 || path.length <= place) return path
  return path.map((step, at) => (at === place ? (words.find(([, word]) => word === step)?.[0] ?? step) : step))
}

const isOfBlock = /^(?:prices|pricesByFinish\.\*)\.[^.]+\.(.+)$/

/** A move inside of one price block as one of all blocks. */
export const inAllBlocks = (to: string, from: string): ReadonlyArray<readonly [string, string]> => {
  const inner = isOfBlock.exec(to)?.[1]
  const wire = isOfBlock.exec(from)?.[1]
  if (inner === undefined || wire === undefined) return [[to, from]]
  return [
    [`pricesByFinish.*.*.${inner}`, `pricesByFinish.*.*.${wire}`],
    [`prices.*.${inner}`, `prices.*.${wire}`]
  ]
}
