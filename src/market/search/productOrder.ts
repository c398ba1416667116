import type { ProductFacts } from "../catalogue/productFacts.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"

/** How a search sorts. Beyond the spec: section 6, `sortBy` and `sortDirection`. */
export interface Sort {
  readonly by: "name" | "printNumber" | "releaseDate"
  readonly descending: boolean
}

/** Print numbers are texts that people count: `9` before `10`, `12a` after `12`. */
const countText = new Intl.Collator("en", { numeric: true }).compare
const plainText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Places of the products that match, sorted; ties go by id, so that pages never shift by themselves. */
export const productOrder = (
  shelf: ProductShelf,
  matches: (facts: ProductFacts, index: number) => boolean,
  { by, descending }: Sort
): Uint32Array => {
  const found: Array<{ readonly index: number; readonly key: string; readonly id: number }> = []
  for (let index = 0; index < shelf.size; index++) {
    const facts = shelf.facts(index)
    if (matches(facts, index)) found.push({ index, key: facts[by], id: Number(facts.id) })
  }
  const compare = by === "printNumber" ? countText : plainText
  const direction = descending ? -1 : 1
  found.sort((a, b) => compare(a.key, b.key) * direction || a.id - b.id || a.index - b.index)
  return Uint32Array.from(found, ({ index }) => index)
}
