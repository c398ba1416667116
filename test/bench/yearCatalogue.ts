import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { syntheticProduct } from "../../src/market/catalogue/syntheticProduct.ts"

const day = 24 * 3600 * 1000
const first = Date.parse("2025-10-31T12:00:00Z")

/** A catalogue of small games: each deployment renames a tenth of the products, adds one and removes one. */
export const yearCatalogue = (
  folder: string,
  { deployments, games, products }: { readonly games: number; readonly deployments: number; readonly products: number }
): ReadonlyArray<string> => {
  const ids = Array.from({ length: games }, (_, at) => `year-${at + 1}`)
  for (const [at, gameId] of ids.entries()) {
    const versions = new Map<number, number>()
    const listed = Array.from({ length: deployments }, (_, place) => {
      const deployedAt = new Date(first + place * day).toISOString()
      const lines = Array.from({ length: products }, (_unused, index) => {
        const number = index + place
        if (number % 10 === place % 10) versions.set(number, (versions.get(number) ?? 0) + 1)
        const catalogueVersion = versions.get(number) ?? 0
        const names = { gameId, gameName: `Year ${at + 1}`, gameIndex: at % 3 }
        return syntheticProduct({ ...names, number, catalogueVersion, priceVersion: place })
      })
      const expansions = [...new Set(lines.map((line) => /"expansionId":(\d+)/.exec(line)?.[1] ?? ""))].map((id) =>
        JSON.stringify({
          id: Number(id),
          gameId,
          slug: `expansion-${id}`,
          name: `Expansion ${id}`,
          code: `E${id}`,
          languages: ["en"]
        })
      )
      const to = join(folder, gameId, deployedAt.slice(0, 10))
      mkdirSync(to, { recursive: true })
      const write = (kind: string, all: ReadonlyArray<string>) =>
        writeFileSync(join(to, `${kind}.ndjson.gz`), gzipSync(`${all.join("\n")}\n`, { level: 1 }))
      write("products", lines)
      write("expansions", expansions)
      return { date: deployedAt.slice(0, 10), deployedAt }
    })
    writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
  }
  writeFileSync(join(folder, "games.json"), JSON.stringify(ids.map((id) => ({ id, name: id }))))
  return ids
}
