import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { syntheticProduct } from "../../src/market/catalogue/syntheticProduct.ts"

const day = 24 * 3600 * 1000
const first = Date.parse("2025-10-31T12:00:00Z")

/** Of every 1,000 products: how many have other prices after a deployment, and how many another fact. */
export interface Moves {
  readonly prices: number
  readonly facts: number
}

/** A catalogue of one game; each deployment moves other products. */
export const manyDeployments = (
  folder: string,
  gameId: string,
  { deployments, products }: { readonly deployments: number; readonly products: number },
  moves: Moves = { prices: 300, facts: 10 }
) => {
  const gameName = "Many Nights"
  const prices = new Uint16Array(products)
  const versions = new Uint16Array(products)
  mkdirSync(join(folder, gameId), { recursive: true })
  const listed = Array.from({ length: deployments }, (_, at) => {
    const deployedAt = new Date(first + at * day).toISOString()
    const date = deployedAt.slice(0, 10)
    const lines = Array.from({ length: products }, (_unused, number) => {
      const place = (number + at) % 1000
      if (at > 0 && place < moves.prices) prices[number] = (prices[number] ?? 0) + 1
      if (at > 0 && place >= 1000 - moves.facts) versions[number] = (versions[number] ?? 0) + 1
      const [priceVersion = 0, catalogueVersion = 0] = [prices[number], versions[number]]
      return syntheticProduct({ gameId, gameName, gameIndex: 0, number, catalogueVersion, priceVersion })
    })
    const expansions = new Set(lines.map((line) => /"expansionId":(\d+)/.exec(line)?.[1] ?? ""))
    const texts = [...expansions].map((id) =>
      JSON.stringify({
        id: Number(id),
        gameId,
        slug: `expansion-${id}`,
        name: `Expansion ${id}`,
        code: `E${id}`,
        languages: ["en"]
      })
    )
    mkdirSync(join(folder, gameId, date))
    for (const [kind, all] of [
      ["products", lines],
      ["expansions", texts]
    ] as const) {
      writeFileSync(join(folder, gameId, date, `${kind}.ndjson.gz`), gzipSync(`${all.join("\n")}\n`, { level: 1 }))
    }
    return { date, deployedAt }
  })
  writeFileSync(join(folder, "games.json"), JSON.stringify([{ id: gameId, name: gameName }]))
  writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
}
