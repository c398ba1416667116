import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { syntheticProduct } from "../support/syntheticProduct.ts"
import { dayMillis } from "./report.ts"

/** When the first deployment of a made-up game is. */
export const first = Date.parse("2025-10-31T12:00:00Z")

/** Of every 1,000 products: how many have other prices after a deployment, and how many another fact. */
export interface Moves {
  readonly prices: number
  readonly facts: number
}

/** Writes one deployment of a game, with the expansions of its products; returns its entry in the list. */
export const writeDeployment = (folder: string, gameId: string, atMillis: number, lines: ReadonlyArray<string>) => {
  const deployedAt = new Date(atMillis).toISOString()
  const date = deployedAt.slice(0, 10)
  const ids = new Set(lines.map((line) => /"expansionId":(\d+)/.exec(line)?.[1] ?? ""))
  const expansions = [...ids].map((id) => {
    const names = { slug: `expansion-${id}`, name: `Expansion ${id}`, code: `E${id}` }
    return JSON.stringify({ id: Number(id), gameId, ...names, languages: ["en"] })
  })
  mkdirSync(join(folder, gameId, date), { recursive: true })
  for (const [kind, all] of Object.entries({ products: lines, expansions }))
    writeFileSync(join(folder, gameId, date, `${kind}.ndjson.gz`), gzipSync(`${all.join("\n")}\n`, { level: 1 }))
  return { date, deployedAt }
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
  const listed = Array.from({ length: deployments }, (_, at) => {
    const lines = Array.from({ length: products }, (_unused, number) => {
      const place = (number + at) % 1000
      if (at > 0 && place < moves.prices) prices[number] = (prices[number] ?? 0) + 1
      if (at > 0 && place >= 1000 - moves.facts) versions[number] = (versions[number] ?? 0) + 1
      const [priceVersion = 0, catalogueVersion = 0] = [prices[number], versions[number]]
      return syntheticProduct({ gameId, gameName, number, catalogueVersion, priceVersion })
    })
    return writeDeployment(folder, gameId, first + at * dayMillis, lines)
  })
  writeFileSync(join(folder, "games.json"), JSON.stringify([{ id: gameId, name: gameName }]))
  writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
}
