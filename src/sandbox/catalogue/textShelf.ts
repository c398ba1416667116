import { productFacts, type ProductFacts } from "./productFacts.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"
import type { TextLines } from "./textLines.ts"

/** Products kept as lines of text. They are parsed once, when the first request needs to filter, sort or find them. */
export const textShelf = (lines: TextLines): ProductShelf => {
  let known: ReadonlyArray<ProductFacts> | undefined
  let places: Map<string, number> | undefined
  const allFacts = () =>
    (known ??= Array.from({ length: lines.size }, (_, index) => productFacts(JSON.parse(lines.line(index).toString()))))
  return {
    size: lines.size,
    inNameOrder: false,
    text: lines.line,
    facts: (index) => allFacts()[index] ?? productFacts(undefined),
    find: (id) => (places ??= new Map(allFacts().map((facts, index) => [facts.id, index]))).get(id)
  }
}
