import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"

/** Games of the marketplace. Any key reads them. */
export const games = ({ call, list }: Caller) => ({
  /** All games. */
  list: (options?: RequestOptions) => list("catalogue.games", {}, options),
  /** A game by its id, such as `emberfall`. */
  get: (gameId: string, options?: RequestOptions) => call("catalogue.game", { path: { gameId } }, options)
})
