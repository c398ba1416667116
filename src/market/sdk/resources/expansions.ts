import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { ExpansionsQuery } from "../wire.ts"

/** Expansions of games. Any key reads them. */
export const expansions = ({ call, list }: Caller) => ({
  /** Expansions of a game, newest release first. */
  list: (gameId: string, query?: ExpansionsQuery, options?: RequestOptions) =>
    list("catalogue.expansions", { path: { gameId }, query }, options),
  /** An expansion by its id. */
  get: (expansionId: number, options?: RequestOptions) =>
    call("catalogue.expansion", { path: { expansionId } }, options)
})
