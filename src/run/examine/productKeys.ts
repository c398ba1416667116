import type { Dialect } from "../../contract/dialects.ts"
import { isObject } from "../../rows/isObject.ts"

/** What a product's prices and ids are filed under. */
export interface ProductKeys {
  readonly hasPrices: boolean
  readonly hasIds: boolean
  /** Paths of those that a dialect does not have, such as `pricesByFinish.*.harbour`. */
  readonly strange: ReadonlyArray<string>
  /** Those of prices if no other prices are there, and those of ids if no other ids are. */
  readonly alone: ReadonlyArray<string>
}

/** Null, `{}` and the like say nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isObject(value) && Object.keys(value).length === 0)

/** The prices and ids of a product as it came, in the words of a dialect. */
export const productKeys = (product: unknown, { aliases, blocks, ids }: Dialect): ProductKeys => {
  const fields = isObject(product) ? product : {}
  const filled = (place: unknown) => (isObject(place) ? Object.keys(place).filter((key) => !isEmpty(place[key])) : [])
  const byFinish = fields["pricesByFinish"]
  const finishes = isObject(byFinish) ? Object.values(byFinish).flatMap(filled) : []
  const sealed = filled(fields["prices"])
  const idKeys = filled(fields["externalIds"])
  const knownBlocks = new Set(Object.values(blocks))
  const knownIds = new Set([...Object.values(ids), ...Object.keys(aliases.products)])
  const strange = (keys: ReadonlyArray<string>, known: ReadonlySet<string>, place: string) =>
    keys.filter((key) => !known.has(key)).map((key) => `${place}.${key}`)
  const prices = [...strange(sealed, knownBlocks, "prices"), ...strange(finishes, knownBlocks, "pricesByFinish.*")]
  const otherIds = strange(idKeys, knownIds, "externalIds")
  return {
    hasPrices: finishes.length + sealed.length > 0,
    hasIds: idKeys.length > 0,
    strange: [...new Set([...prices, ...otherIds])],
    alone: [
      ...(prices.length === finishes.length + sealed.length ? prices : []),
      ...(otherIds.length === idKeys.length ? otherIds : [])
    ]
  }
}
