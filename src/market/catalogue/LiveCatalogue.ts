import { Context, Effect } from "effect"
import type { ByteCache } from "../answers/caches.ts"
import type { LiveGame } from "./LiveGame.ts"
import { badRequest, notFound } from "../answers/refusals.ts"
import type { KeyRule } from "../wording/renameKeys.ts"
import type { StoredDeployment } from "./StoredCatalogue.ts"

/** The live games and cached results, shared by the handlers. */
export class LiveCatalogue extends Context.Service<
  LiveCatalogue,
  {
    readonly games: ReadonlyMap<string, LiveGame>
    /** Rendered pages, by deployment and query. */
    readonly pages: ByteCache
    /** Product order of filtered lists, by deployment, filter and sort. */
    readonly orders: ByteCache
  }
>()("cardlake/sandbox/LiveCatalogue") {}

/** The stored text of a record in a live deployment. */
interface LiveRecord {
  readonly game: LiveGame
  readonly text: Uint8Array
}

/** Returns the game with this id. Fails with GAME_NOT_FOUND. */
export const findGame = Effect.fnUntraced(function* (gameId: string) {
  const { games } = yield* LiveCatalogue
  return games.get(gameId) ?? (yield* notFound("gameId", gameId))
})

export const openLive = (game: LiveGame) => Effect.promise(() => game.open(game.live()))

/**
 * Returns the first record that `read` finds in any game. Fails with 400 if the id is not a number, otherwise with the
 * not-found code.
 */
const findRecord = Effect.fnUntraced(function* (
  field: "productId" | "expansionId",
  id: string,
  read: (deployment: StoredDeployment, id: string) => Uint8Array | undefined
) {
  if (!/^-?\d{1,16}$/.test(id) || !Number.isSafeInteger(Number(id))) {
    return yield* badRequest(field, `expected an integer of at most ${Number.MAX_SAFE_INTEGER}, got ${id}`)
  }
  const { games } = yield* LiveCatalogue
  const digits = BigInt(id).toString()
  for (const game of games.values()) {
    const text = read(yield* openLive(game), digits)
    if (text !== undefined) return { game, text } satisfies LiveRecord
  }
  return yield* notFound(field, id)
})

/** Returns a product's text by id (decimal digits without leading zeros). A null rule leaves it unchanged. */
export const productText = (
  { products }: StoredDeployment,
  id: string,
  rule: KeyRule | null = null
): Uint8Array | undefined => {
  const index = products.find(id)
  return index === undefined ? undefined : products.worded(index, rule)
}

export const findProduct = (id: string, rule: KeyRule | null = null) =>
  findRecord("productId", id, (deployment, digits) => productText(deployment, digits, rule))

export const findExpansion = (id: string) =>
  findRecord("expansionId", id, ({ expansions }, digits) => expansions.find((each) => each.id === digits)?.text)
