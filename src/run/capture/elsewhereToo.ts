import type { SchemaAST } from "effect"
import { contractPaths } from "../../contract/contractPaths.ts"
import { fitsPlace, type ProposedMove } from "./proposeMoves.ts"
import { valuesAt } from "./wirePaths.ts"

const isOfPrices = ([first]: ReadonlyArray<string>): boolean => first === "prices" || first === "pricesByFinish"

/**
 * A figure that is elsewhere in one place of prices is so in the others: wherever it is missed and a value of its kind is
 * under the same keys as there, and wherever nothing was captured.
 */
export const elsewhereToo = (
  records: ReadonlyArray<unknown>,
  record: SchemaAST.AST,
  found: ReadonlyArray<ProposedMove>
): ReadonlyArray<ProposedMove> => {
  const places = contractPaths([record]).filter(({ path }) => isOfPrices(path))
  return found.flatMap(({ from, to }) => {
    const parent = to.slice(0, -1)
    if (!isOfPrices(to) || parent.some((step, at) => step !== from[at])) return []
    const tail = from.slice(parent.length)
    return places
      .filter(({ path }) => path.at(-1) === to.at(-1) && path.join(".") !== to.join("."))
      .map((place) => ({ place, path: [...place.path.slice(0, -1), ...tail] }))
      .filter(({ path, place }) => {
        if (valuesAt(records, place.path).length > 0) return false
        const values = valuesAt(records, path)
        const isCaptured = valuesAt(records, place.path.slice(0, -1)).length > 0
        return !isCaptured || (values.length > 0 && fitsPlace(place, values))
      })
      .map(({ path, place }): ProposedMove => ({ to: place.path, from: path }))
  })
}
