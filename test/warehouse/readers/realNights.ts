import { Effect } from "effect"
import { cpSync } from "node:fs"
import { showing } from "../../../src/night/run/showing.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deploymentsOf, realCatalogue } from "../../pipelines/realCatalogue.ts"

/**
 * Writes a home in which each deployment of the real catalogues is a night of its game:
 * `node test/warehouse/readers/realNights.ts HOME GAME...`.
 */
const [home = "", ...games] = process.argv.slice(2)
const firstDay = Date.parse("2026-09-01T03:00:00Z")
const dayMillis = 24 * 3600 * 1000

const nights = Effect.gen(function* () {
  const made = yield* marketplaceAndHome({ catalogue: realCatalogue })
  const nightCount = Math.max(...games.map((gameId) => deploymentsOf(gameId).length))
  for (let index = 0; index < nightCount; index++) {
    const changed = games.filter((gameId) => index < deploymentsOf(gameId).length)
    if (index > 0) for (const gameId of changed) yield* made.sandbox.deploy(gameId)
    const ended = yield* made.night(...changed).pipe(showing(firstDay + index * dayMillis))
    for (const { gameId, reason, verdict } of ended.games)
      console.log(`${gameId}, deployment ${index + 1}: ${verdict} ${reason ?? ""}`)
  }
  cpSync(made.home, home, { recursive: true })
})

await Effect.runPromise(Effect.scoped(nights))
