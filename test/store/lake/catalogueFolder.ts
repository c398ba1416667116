import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

/** Records of one deployment: objects, or the raw text that goes over the wire. */
export interface Deployed {
  readonly products: ReadonlyArray<object | string>
  readonly expansions?: ReadonlyArray<object | string>
}

const lines = (records: ReadonlyArray<object | string>): Buffer =>
  gzipSync(records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join(""), {
    level: 1
  })

const dayOf = (index: number, first: string): string =>
  new Date(Date.parse(first) + index * 24 * 3600 * 1000).toISOString().slice(0, 10)

/** A catalogue folder for the sandbox, removed with the scope; a game's deployments oldest first, one a day. */
export const catalogueFolder = (games: Readonly<Record<string, ReadonlyArray<Deployed>>>, first = "2026-05-01") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "cardlake-catalogue-"))
      const ids = Object.keys(games)
      writeFileSync(join(folder, "games.json"), JSON.stringify(ids.map((id) => ({ id, name: `Game ${id}` }))))
      for (const [gameId, deployments] of Object.entries(games)) {
        for (const [index, { expansions = [], products }] of deployments.entries()) {
          const day = join(folder, gameId, dayOf(index, first))
          mkdirSync(day, { recursive: true })
          writeFileSync(join(day, "products.ndjson.gz"), lines(products))
          writeFileSync(join(day, "expansions.ndjson.gz"), lines(expansions))
        }
        const listed = deployments.map((_, index) => ({
          date: dayOf(index, first),
          deployedAt: `${dayOf(index, first)}T04:00:00.000Z`
        }))
        writeFileSync(join(folder, gameId, "deployments.json"), JSON.stringify({ deployments: listed }))
      }
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
