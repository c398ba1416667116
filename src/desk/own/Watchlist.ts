import { join } from "node:path"
import { Clock, DateTime, Effect, Schema } from "effect"
import { isThere } from "../../store/home/disk.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { readJson, writeJson } from "../../store/home/jsonFile.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { alone, onlyOwner } from "./alone.ts"
import { ownPaths } from "./Own.ts"

/** A figure as the reader typed it, exact. */
const Figure = Schema.String.check(Schema.isPattern(/^\d{1,12}(\.\d{1,4})?$/))

/** A product that a reader watches, and what of its price is to be told. Null = not asked. */
export const Watch = Schema.Struct({
  number: Schema.Int,
  gameId: Schema.String,
  productId: Schema.Int,
  /** Null = each of its finishes. */
  finish: Schema.NullOr(Schema.String),
  /** Null = each of its sources. */
  source: Schema.NullOr(Schema.Literals(["sourceEur", "sourceUsd"])),
  /** Bounds of the market value, in the source's currency. */
  below: Schema.NullOr(Figure),
  above: Schema.NullOr(Figure),
  /** How far it moved in so many days, in percent, up or down. */
  percent: Schema.NullOr(Figure),
  days: Schema.Int,
  addedAt: Schema.String
})
export type Watch = typeof Watch.Type

/** `own/watchlist.json`. */
const Watchlist = Schema.Struct({ next: Schema.Int, watched: Schema.Array(Watch) })

/** What somebody asked to watch cannot be. */
export class NotWatched extends Schema.TaggedError<NotWatched>()("NotWatched", { what: Schema.String }) {
  override get message() {
    return this.what
  }
}

const documentPath = Effect.map(ownPaths, ({ root }) => join(root, "watchlist.json"))

/** Everything that is watched, in the order in which it was added. */
export const readWatchlist = Effect.gen(function* () {
  const path = yield* documentPath
  if (!isThere(path)) return { next: 1, watched: [] } satisfies typeof Watchlist.Type
  const next =
    "The lake and your cards have nothing to do with it. Restore it from a backup, or move it away and say anew what to watch: cardlake watch add PRODUCT --below 20"
  return yield* readJson(path, Watchlist).pipe(
    Effect.catchTag("FileDamaged", ({ file, what }) => new FileDamaged({ file, what, next }))
  )
})

/** What is to be watched; the game is only needed where an id is in several. */
export type AskedWatch = Omit<Watch, "number" | "gameId" | "addedAt"> & { readonly gameId: string | null }

/** The game of a product, which must have what is to be watched. */
const gameOf = Effect.fnUntraced(function* ({ finish, gameId, productId }: AskedWatch) {
  const { rows } = yield* openLake
  const found = yield* rows(
    "Find the product",
    `select p.game_id, list(f.finish order by f.position) as finishes
     from products p left join product_finishes f using (game_id, product_id)
     where p.product_id = ${productId} group by p.game_id order by p.game_id`
  )
  const games = found.map((row) => String(row["game_id"]))
  const meant = gameId === null ? games : games.filter((game) => game === gameId)
  if (meant.length > 1) {
    return yield* new NotWatched({
      what: `${productId} is in several games: ${games.join(", ")}. Name one with --game`
    })
  }
  const [game] = meant
  if (game === undefined) {
    return yield* new NotWatched({
      what: `The lake has no product ${productId}${gameId === null ? "" : ` in ${gameId}`}. Find its id with: cardlake search`
    })
  }
  const of = found.find((row) => row["game_id"] === game)?.["finishes"]
  const finishes =
    JSON.stringify(of)
      .match(/"([^"]+)"/g)
      ?.map((text) => text.slice(1, -1)) ?? []
  if (finish !== null && !finishes.includes(finish)) {
    return yield* new NotWatched({
      what: `${productId} is not known in ${finish}. Choose one of its finishes with --finish: ${finishes.join(", ")}`
    })
  }
  return game
}, Effect.scoped)

/** Adds to the watchlist; the same again is one. */
export const addWatch = Effect.fn("addWatch")(function* (asked: AskedWatch) {
  if (asked.below === null && asked.above === null && asked.percent === null) {
    return yield* new NotWatched({ what: "Say what to watch for: --below, --above or --percent" })
  }
  const gameId = yield* gameOf(asked)
  const addedAt = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const file = yield* documentPath
  return yield* alone(
    yield* newRunId,
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const told = (one: Omit<Watch, "number" | "addedAt">) =>
        JSON.stringify([one.gameId, one.productId, one.finish, one.source, one.below, one.above, one.percent, one.days])
      const same = watched.find((one) => told(one) === told({ ...asked, gameId }))
      if (same !== undefined) return same
      const added: Watch = { ...asked, gameId, number: next, addedAt }
      yield* writeJson(file, Watchlist, { next: next + 1, watched: [...watched, added] }, onlyOwner)
      return added
    })
  )
})

/** Removes from the watchlist by number. */
export const removeWatch = Effect.fn("removeWatch")(function* (number: number) {
  const file = yield* documentPath
  return yield* alone(
    yield* newRunId,
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const found = watched.find((one) => one.number === number)
      if (found === undefined) {
        return yield* new NotWatched({ what: `Nothing has number ${number}. See all with: cardlake watch list` })
      }
      yield* writeJson(file, Watchlist, { next, watched: watched.filter((one) => one !== found) }, onlyOwner)
      return found
    })
  )
})
