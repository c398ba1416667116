import type { Json } from "@duckdb/node-api"
import { DateTime, Effect, Schema } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { exactRows, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { snapshotsOfGame, openLake } from "../../store/lake/publish/openLake.ts"
import { alone, ownDocument, sqlFile } from "./Own.ts"

/** A decimal number as the reader typed it, exact. */
const Figure = Schema.String.check(Schema.isPattern(/^\d{1,12}(\.\d{1,4})?$/))

/** A watched product with the conditions of an alert. Null = no such condition. */
export const Watch = Schema.Struct({
  number: Schema.Int,
  gameId: Schema.String,
  productId: Schema.Int,
  /** Null = all finishes. */
  finish: Schema.NullOr(Schema.String),
  /** Null = all sources. */
  source: Schema.NullOr(Schema.Literals(["sourceEur", "sourceUsd"])),
  /** Bounds of the market value, in the source's currency. */
  below: Schema.NullOr(Figure),
  above: Schema.NullOr(Figure),
  /** The minimum move in percent within `days`, up or down. */
  percent: Schema.NullOr(Figure),
  days: Schema.Int,
  addedAt: Schema.String
})
export type Watch = typeof Watch.Type

const watchlistFile = ownDocument(
  "watchlist.json",
  Schema.Struct({ next: Schema.Int, watched: Schema.Array(Watch) }),
  { next: 1, watched: [] },
  "The lake and your cards are not affected. Restore the file from a backup, or move it away and add your watched prices again: cardlake watch add PRODUCT --below 20"
)

/** Reads the watchlist in the order of addition. */
export const readWatchlist = watchlistFile.read

export interface NewWatch extends Omit<Watch, "number" | "gameId" | "productId" | "addedAt"> {
  /** The product's id, or its name or number if one product alone has it. */
  readonly product: string
  /** The code or name of the product's set. */
  readonly set: string | null
  /** Needed only if several games have the product id or name. */
  readonly gameId: string | null
}

/** Returns the products that a new watch can mean, each with its finishes. */
const findProducts = Effect.fnUntraced(function* ({ gameId, product, set }: NewWatch, isId: boolean) {
  if (gameId !== null) yield* snapshotsOfGame(gameId, yield* readCurrent)
  const { rows } = yield* openLake
  const inSet = `search.folded(${sqlText(set ?? "")}) in (search.folded(p.expansion_code), search.folded(p.expansion_name))`
  return yield* rows(
    "Find the product",
    `select p.game_id, p.product_id, concat_ws(' ', p.product_id, p.name, p.expansion_code, p.print_number) as label,
       array(select f.finish from product_finishes f where f.game_id = p.game_id and f.product_id = p.product_id order by f.position) as finishes
     from ${isId ? "products p" : `search.named(${sqlText(product)}) n join products p using (game_id, product_id)`}
     where ${isId ? `p.product_id = ${product}` : set === null ? "true" : inSet} and ${gameId === null ? "true" : `p.game_id = ${sqlText(gameId)}`}
     ${isId ? "" : "qualify n.is_whole = max(n.is_whole) over ()"} order by p.product_id, p.game_id`
  )
}, Effect.scoped)

/** Returns the product and finish of a new watch; fails unless there is one, and it has that finish in any case. */
const findProduct = Effect.fnUntraced(function* (watch: NewWatch) {
  const { finish, gameId, product, set } = watch
  const isId = set === null && /^\d{1,16}$/.test(product)
  const found = yield* findProducts(watch, isId)
  const fault = (what: string) => new Fault("NotWatched", what)
  const named = isId ? `Product ${product}` : `${product}${set === null ? "" : ` in ${set}`}`
  const [one, ...more] = found
  if (one === undefined) {
    const missing = isId ? `product ${product}${gameId === null ? "" : ` in ${gameId}`}` : named
    return yield* fault(`The lake has no ${missing}. Find its id with: cardlake search`)
  }
  if (isId && more.length > 0)
    return yield* fault(
      `${named} exists in several games: ${found.map((row) => String(row["game_id"])).join(", ")}. Choose one with --game`
    )
  if (more.length > 0) {
    const some = found.slice(0, 5).map((row) => String(row["label"]))
    const next = `Name its set with --set, or its id: cardlake watch add ${String(one["product_id"])}`
    return yield* fault(
      `${named} is ${found.length} products: ${some.join("; ")}${found.length > 5 ? "; …" : ""}. ${next}`
    )
  }
  const finishes = one["finishes"] as ReadonlyArray<string>
  const productId = Number(one["product_id"])
  const chosen = finishes.find((each) => each.toLowerCase() === finish?.toLowerCase()) ?? null
  if (finish !== null && chosen === null)
    return yield* fault(
      `Product ${productId} has no finish ${finish}. Choose one with --finish: ${finishes.join(", ")}`
    )
  return { gameId: String(one["game_id"]), productId, finish: chosen }
})

const identify = (one: Omit<Watch, "number" | "addedAt">): string =>
  JSON.stringify([one.gameId, one.productId, one.finish, one.source, one.below, one.above, one.percent, one.days])

/** Adds a watch; an equal one is not added twice. */
export const addWatch = Effect.fn("addWatch")(function* (watch: NewWatch) {
  const { above, below, days, percent, source } = watch
  if (below === null && above === null && percent === null)
    return yield* new Fault("NotWatched", "Pass a limit: --below, --above or --percent")
  const wanted = { ...(yield* findProduct(watch)), source, below, above, percent, days }
  const addedAt = DateTime.formatIso(yield* DateTime.now)
  return yield* alone(
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const same = watched.find((one) => identify(one) === identify(wanted))
      if (same !== undefined) return same
      const added: Watch = { ...wanted, number: next, addedAt }
      yield* watchlistFile.write({ next: next + 1, watched: [...watched, added] })
      return added
    })
  )
})

export const removeWatch = Effect.fn("removeWatch")(function* (number: number) {
  return yield* alone(
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const found = watched.find((one) => one.number === number)
      if (found === undefined)
        return yield* new Fault(
          "NotWatched",
          `The watchlist has no number ${number}. List all with: cardlake watch list`
        )
      yield* watchlistFile.write({ next, watched: watched.filter((one) => one !== found) })
      return found
    })
  )
})

/** Returns SQL that defines the macro `watch_hits` for a connection to the lake; null = the list is empty. */
export const watchSql = (watched: ReadonlyArray<Watch>): string | null =>
  watched.length === 0
    ? null
    : `set variable own_watchlist = ${sqlText(JSON.stringify(watched))};\n\n${sqlFile("watch")}`

/** A price of a watched product; numbers are exact texts. */
export type WatchedPrice = Readonly<Record<string, Json>>

/** Reads the prices of all watched products; those that have reached their bounds come first. */
export const watchHits = Effect.fn("watchHits")(function* () {
  const { watched } = yield* readWatchlist
  const sql = watchSql(watched)
  if (sql === null) return []
  const { connection, run } = yield* openLake
  yield* run("Open the watchlist", sql)
  return yield* exactRows(connection)("Read the watchlist", "from watch_hits()")
}, Effect.scoped)
