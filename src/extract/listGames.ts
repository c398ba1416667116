import { Effect, Schema } from "effect"
import { Marketplace } from "../client/Marketplace.ts"
import { Game } from "../contract/Game.ts"

const isGame = Schema.is(Game)

/**
 * The marketplace's games with the raw page they came on, which every game's folder keeps. A game that the contract
 * refuses is left out here; its refusal is in each extraction. Spec: GET /v1/games.
 */
export const listGames = Effect.gen(function* () {
  const marketplace = yield* Marketplace
  const page = yield* marketplace.games
  return { games: page.data.filter((game) => isGame(game)), page }
})
