/**
 * Writes the sample catalogue beside this file, or into the folder given as the first argument.
 * The same text in every run: `node data/sample/generate.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { oddRecords } from "./oddRecords.ts"
import { sampleDeployments, sampleGames } from "./sampleGames.ts"
import { samplePercentages } from "./samplePercentages.ts"
import { sampleWorld } from "./sampleWorld.ts"

const lines = (records: ReadonlyArray<unknown>) => records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** Every file of the catalogue by its path, as text; those that end in `.gz` are packed when written. */
export const sampleFiles = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const games = sampleGames.map(({ id, name, releaseDate }) => ({ id, name, releaseDate }))
  files.set("games.json", `${JSON.stringify(games, null, 2)}\n`)
  for (const game of sampleGames) {
    const world = samplePercentages(sampleWorld(game))
    const deployments = sampleDeployments.map((deployment, at) => ({
      ...deployment,
      products: world[at]?.products.length ?? 0,
      expansions: world[at]?.expansions.length ?? 0
    }))
    const about = { game: { id: game.id, name: game.name }, deployments }
    files.set(`${game.id}/deployments.json`, `${JSON.stringify(about, null, 2)}\n`)
    files.set(`${game.id}/odd.json`, `${JSON.stringify({ products: oddRecords(game) }, null, 2)}\n`)
    for (const [at, { date }] of sampleDeployments.entries()) {
      files.set(`${game.id}/${date}/products.ndjson.gz`, lines(world[at]?.products ?? []))
      files.set(`${game.id}/${date}/expansions.ndjson.gz`, lines(world[at]?.expansions ?? []))
    }
  }
  return files
}

/** Packed without a time and without the name of the system it was packed on. */
export const packed = (text: string): Buffer => {
  const bytes = gzipSync(text, { level: 9 })
  bytes[9] = 255
  return bytes
}

if (import.meta.main) {
  const folder = process.argv[2] ?? import.meta.dirname
  for (const [path, text] of sampleFiles()) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, path.endsWith(".gz") ? packed(text) : text)
  }
}
