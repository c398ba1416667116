import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { syntheticProduct } from "../support/syntheticProduct.ts"
import { first, writeDeployment } from "./manyDeployments.ts"
import { dayMillis } from "./report.ts"

/** A catalogue of small games: each deployment renames a tenth of the products, adds one and removes one. */
export const yearCatalogue = (
  folder: string,
  { deployments, games, products }: { readonly games: number; readonly deployments: number; readonly products: number }
): ReadonlyArray<string> => {
  const ids = Array.from({ length: games }, (_, at) => `year-${at + 1}`)
  for (const [at, gameId] of ids.entries()) {
    const versions = new Map<number, number>()
    const listed = Array.from({ length: deployments }, (_, place) => {
      const lines = Array.from({ length: products }, (_unused, index) => {
        const number = index + place
        if (number % 10 === place % 10) versions.set(number, (versions.get(number) ?? 0) + 1)
        const catalogueVersion = versions.get(number) ?? 0
        const names = { gameId, gameName: `Year ${at + 1}`, gameIndex: at % 3 }
        return syntheticProduct({ ...names, number, catalogueVersion, priceVersion: place })
      })
      return writeDeployment(folder, gameId, first + place * dayMillis, lines)
    })
    writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
  }
  writeFileSync(join(folder, "games.json"), JSON.stringify(ids.map((id) => ({ id, name: id }))))
  return ids
}
