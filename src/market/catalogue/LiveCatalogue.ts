import { Context } from "effect"
import type { ByteCache } from "../answers/ByteCache.ts"
import type { LiveGame } from "./LiveGame.ts"

/** What the handlers share: the live games, and finished work that is worth caching. */
export class LiveCatalogue extends Context.Service<
  LiveCatalogue,
  {
    readonly games: ReadonlyMap<string, LiveGame>
    /** Finished page bodies, by deployment and query. */
    readonly pages: ByteCache
    /** Orders of filtered products, by deployment, filter and sort. */
    readonly orders: ByteCache
  }
>()("cardlake/sandbox/LiveCatalogue") {}
