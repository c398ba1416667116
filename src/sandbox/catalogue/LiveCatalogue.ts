import { Context } from "effect"
import type { ByteCache } from "./ByteCache.ts"
import type { LiveGame } from "./LiveGame.ts"

/** What the handlers share: the games as they are live, and finished work that is worth keeping. */
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
