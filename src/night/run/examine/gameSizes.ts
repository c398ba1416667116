import { Effect, Result } from "effect"
import type { MarketplaceError } from "../../../feed/client/MarketplaceError.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { offsetPage } from "../../../feed/client/offsetPages.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import type { FeedsOfGames, GameSize } from "./examineVias.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

export const gamesOffered = Effect.gen(function* () {
  const { gameIds, refused } = yield* listGames
  if (refused.length === 0) return `The key is accepted; ${formatAmount(gameIds.length, "game")}: ${gameIds.join(", ")}`
  const records = refused.map(({ gameId, index, path, reason }) =>
    [gameId ?? `games[${index}]`, path, reason].filter((text) => text !== "").join(": ")
  )
  const more = records.length > 10 ? [`${records.length - 10} more`] : []
  return yield* new Fault(
    "GamesRefused",
    `The key is accepted, but records of the list of games are refused: ${[...records.slice(0, 10), ...more].join("; ")}. Report it to the marketplace`
  )
})

/** The games that get a verdict in a night over all games. */
export const gamesKnown = Effect.gen(function* () {
  const { gameIds } = yield* listGames
  return [...new Set([...gameIds, ...Object.keys((yield* readCurrent).games)])]
})

export const gamesListed = Effect.gen(function* () {
  const inLake = Object.keys((yield* readCurrent).games)
  if (inLake.length === 0) return "No night has been published yet"
  const { gameIds } = yield* listGames
  const missing = inLake.filter((gameId) => !gameIds.includes(gameId))
  if (missing.length > 0)
    return yield* new Fault(
      "GamesMissing",
      `The lake has games that the marketplace no longer offers: ${missing.join(", ")}. See since when with: cardlake runs; then ask the marketplace whether they were withdrawn or renamed`
    )
  return "The marketplace offers every game of the lake"
})

/** The sizes of games in the lake, without requests. */
export const sizesInLake = Effect.gen(function* () {
  const home = yield* Home
  const games = Object.entries((yield* readCurrent).games)
  const sizes = yield* Effect.forEach(games, ([gameId, { snapshot }]) =>
    Effect.map(readSnapshot(home.snapshot(gameId, snapshot)), ({ manifest }): readonly [string, GameSize] => [
      gameId,
      {
        products: manifest.tables["products"]?.rows ?? 0,
        expansions: manifest.tables["expansions"]?.rows ?? 0,
        published: { via: manifest.via ?? "pages", deploymentId: manifest.deploymentId, feeds: manifest.feeds ?? null }
      }
    ])
  )
  return new Map(sizes)
})

/** A game whose products cannot be searched, with the reason. */
export interface Unsearched {
  readonly gameId: string
  readonly failure: MarketplaceError
}

/** Max games that are tried for a page. If all fail, others would fail, too. */
const maxTried = 3

/** Returns the first game with products, and a page of them, after the games that have none or failed. */
const firstPage = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  const unsearched: Array<Unsearched> = []
  const empty: Array<string> = []
  for (const gameId of gameIds) {
    if (unsearched.length === maxTried) break
    const page = yield* Effect.result(offsetPage("products", gameId, 0))
    if (Result.isFailure(page)) unsearched.push({ gameId, failure: page.failure })
    else if (page.success.data.length > 0) return { first: { gameId, page: page.success }, empty, unsearched }
    else empty.push(gameId)
  }
  return { first: null, empty, unsearched }
})

/** Sizes of all listed games, and a page of the first with products. Requests the unknown ones. */
export const gameSizes = Effect.fnUntraced(function* (inLake: ReadonlyMap<string, GameSize>, feeds: FeedsOfGames) {
  const marketplace = yield* Marketplace
  const { gameIds } = yield* listGames
  const { empty, first, unsearched } = yield* firstPage(gameIds)
  const findOffered = (gameId: string) => {
    const found = feeds.get(gameId)
    return found === undefined || typeof found === "string" ? null : found.offered
  }
  const sizes: Array<readonly [gameId: string, size: GameSize]> = []
  const add = (gameId: string, products: number) => {
    const expansions = findOffered(gameId)?.expansions.recordCount ?? null
    sizes.push([gameId, { ...(inLake.get(gameId) ?? { expansions, published: null }), products }])
  }
  const tried = new Set([...empty, ...unsearched.map(({ gameId }) => gameId)])
  for (const gameId of empty) add(gameId, 0)
  if (first === null) return { first, sizes, unsearched }
  add(first.gameId, first.page.pagination.total)
  yield* Effect.forEach(
    gameIds.filter((gameId) => gameId !== first.gameId && !tried.has(gameId)),
    Effect.fnUntraced(function* (gameId) {
      const known = inLake.get(gameId)?.products ?? findOffered(gameId)?.catalog.recordCount
      const products =
        known === undefined ? yield* Effect.result(marketplace.productCount(gameId)) : Result.succeed(known)
      if (Result.isSuccess(products)) add(gameId, products.success)
      else unsearched.push({ gameId, failure: products.failure })
    }),
    { concurrency: 4, discard: true }
  )
  return { first, sizes, unsearched }
})
