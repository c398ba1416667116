import { productFacts, type ProductFacts } from "./productFacts.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"
import { idOfLine, type TextLines } from "./textLines.ts"

const placesById = (lines: TextLines) =>
  new Map(Array.from({ length: lines.size }, (_, index) => [idOfLine(lines.line(index)), index]))

/** Products kept as lines of text. They are parsed once, when the first request needs to filter or sort them. */
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
    find: (id) => (places ??= placesById(lines)).get(id)
  }
}
