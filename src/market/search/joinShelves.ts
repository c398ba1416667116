import { productFacts } from "../catalogue/productFacts.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"

const nothing = new Uint8Array()

/** Several games read as one shelf, for a search that names no game. */
export const joinShelves = (shelves: ReadonlyArray<ProductShelf>): ProductShelf => {
  const [first] = shelves
  if (shelves.length === 1 && first !== undefined) return first
  const starts: Array<number> = []
  let size = 0
  for (const shelf of shelves) {
    starts.push(size)
    size += shelf.size
  }
  const at = <A>(index: number, read: (shelf: ProductShelf, index: number) => A, none: A): A => {
    const place = starts.findLastIndex((start) => start <= index)
    const shelf = shelves[place]
    return shelf === undefined ? none : read(shelf, index - (starts[place] ?? 0))
  }
  return {
    size,
    inNameOrder: false,
    text: (index) => at(index, (shelf, inner) => shelf.text(inner), nothing),
    worded: (index, rule) => at(index, (shelf, inner) => shelf.worded(inner, rule), nothing),
    facts: (index) => at(index, (shelf, inner) => shelf.facts(inner), productFacts(undefined)),
    id: (index) => at(index, (shelf, inner) => shelf.id(inner), NaN),
    find: (id) => {
      for (const [place, shelf] of shelves.entries()) {
        const found = shelf.find(id)
        if (found !== undefined) return found + (starts[place] ?? 0)
      }
      return undefined
    }
  }
}
