import { Effect } from "effect"
import { type KnownDialect, dialects } from "../../feed/contract/dialect/dialects.ts"
import { wordings } from "../wording/Wording.ts"
import { type Send, withKey } from "./sending.ts"

/** What any key can read of the catalogue, and of its own account. */
export const recordReading = Effect.fnUntraced(function* (anyone: Send, key: string, dialect: KnownDialect) {
  const send = withKey(anyone, key)
  const { sourceEur } = wordings[dialect].asked === null ? dialects.spec.blocks : dialects.live.blocks
  const game = { params: { gameId: "emberfall" } }
  const product = { params: { productId: 10_007 } }
  const one = "?limit=1"
  yield* send("GET", "/v1/games")
  yield* send("GET", "/v1/games/{gameId}", game)
  const { data } = yield* send("GET", "/v1/games/{gameId}/expansions", { ...game, query: one })
  yield* send("GET", "/v1/expansions/{expansionId}", { params: { expansionId: data[0].id } })
  yield* send("GET", "/v1/products", { query: one })
  yield* send("POST", "/v1/products/search", {
    body: { gameFilters: { game: "emberfall" }, sortBy: "name", limit: 1 }
  })
  yield* send("GET", "/v1/products/{productId}", product)
  yield* send("GET", "/v1/products/{productId}/prices", product)
  const days = `?marketplace=${sourceEur}&from=2026-03-01&to=2026-03-02`
  yield* send("GET", "/v1/products/{productId}/prices/history", { ...product, query: days })
  yield* send("POST", "/v1/products/resolve", { body: { marketplace: sourceEur, ids: [200_000] } })
  yield* send("GET", "/v1/feeds/{gameId}/changelog", { ...game, query: `${one}&includeChanges=true` })
  yield* send("GET", "/v1/feeds/{gameId}", game)
  for (const feed of ["catalog", "expansions", "prices"]) yield* send("GET", `/v1/feeds/{gameId}/${feed}`, game)
  yield* send("GET", "/v1/account/me")
  yield* send("POST", "/v1/account/vacation", { body: { enabled: true, reason: "At a tournament" } })
  yield* send("POST", "/v1/account/vacation", { body: { enabled: false } })
  yield* send("GET", "/v1/account/vacation")
})
