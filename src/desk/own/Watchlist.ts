import { join } from "node:path"
import { Clock, DateTime, Effect, Schema } from "effect"
import { readCurrent } from "../../store/home/Home.ts"
import { snapshotsOfGame } from "../../store/lake/GameNotInLake.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { alone, onlyOwner, ownPaths, readOwnDocument } from "./Own.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import type { Json } from "@duckdb/node-api"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { Fault } from "../../feed/contract/Fault.ts"

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

const Watchlist = Schema.Struct({ next: Schema.Int, watched: Schema.Array(Watch) })

const documentPath = Effect.map(ownPaths, ({ root }) => join(root, "watchlist.json"))

/** Reads the watchlist in the order of addition. */
export const readWatchlist = Effect.flatMap(documentPath, (path) =>
  readOwnDocument(
    path,
    Watchlist,
    { next: 1, watched: [] },
    "The lake and your cards are not affected. Restore the file from a backup, or move it away and add your watched prices again: cardlake watch add PRODUCT --below 20"
  )
)

const text = (value: string | null): string => (value === null ? "null" : sqlText(value))

/** A watch to add. */
export interface NewWatch extends Omit<Watch, "number" | "gameId" | "productId" | "addedAt"> {
  /** The product's id, or its name or number if one product alone has it. */
  readonly product: string
  /** The code or name of the product's set. */
  readonly set: string | null
  /** Needed only if several games have the product id or name. */
  readonly gameId: string | null
}

/** Finds the product of a new watch: its id, or its name or number if one product alone has it, in a set if one is given. */
const findProduct = Effect.fnUntraced(function* ({ rows }: Session, { gameId: game, product, set }: NewWatch) {
  if (game !== null) yield* snapshotsOfGame(game, yield* readCurrent)
  if (set === null && /^\d{1,16}$/.test(product)) return { productId: Number(product), gameId: game }
  const inSet = `search.folded(${sqlText(set ?? "")}) in (search.folded(p.expansion_code), search.folded(p.expansion_name))`
  const found = yield* rows(
    "Find the product by its name",
    `select p.game_id, p.product_id, concat_ws(' ', p.product_id, p.name, p.expansion_code, p.print_number) as label
     from search.named(${sqlText(product)}) n join products p using (game_id, product_id)
     where ${set === null ? "true" : inSet} and p.game_id = coalesce(${text(game)}, p.game_id)
     qualify n.is_whole = max(n.is_whole) over () order by p.product_id`
  )
  const [first] = found
  const where = set === null ? "" : ` in ${set}`
  if (first === undefined)
    return yield* new Fault("NotWatched", `The lake has no ${product}${where}. Find its id with: cardlake search`)
  if (found.length > 1) {
    const some = found.slice(0, 5).map((row) => String(row["label"]))
    const more = found.length > 5 ? "; …" : ""
    const next = `Name its set with --set, or its id: cardlake watch add ${String(first["product_id"])}`
    return yield* new Fault(
      "NotWatched",
      `${product}${where} is ${found.length} products: ${some.join("; ")}${more}. ${next}`
    )
  }
  return { productId: Number(first["product_id"]), gameId: String(first["game_id"]) }
})

/** Returns the product of a new watch; fails unless it has the watch's finish. */
const findWatched = Effect.fnUntraced(function* (watch: NewWatch) {
  const session = yield* openLake
  const { gameId, productId } = yield* findProduct(session, watch)
  const { finish } = watch
  const found = yield* session.rows(
    "Find the product",
    `select p.game_id, string_agg(f.finish, ', ' order by f.position) as finishes, coalesce(bool_or(f.finish = ${text(finish)}), ${text(finish)} is null) as has_finish
     from products p left join product_finishes f using (game_id, product_id)
     where p.product_id = ${productId} group by p.game_id order by p.game_id`
  )
  const [one, ...more] = found.filter((row) => gameId === null || row["game_id"] === gameId)
  const fault = (what: string) => new Fault("NotWatched", what)
  if (one === undefined)
    return yield* fault(
      `The lake has no product ${productId}${gameId === null ? "" : ` in ${gameId}`}. Find its id with: cardlake search`
    )
  if (more.length > 0) {
    const games = found.map((row) => String(row["game_id"])).join(", ")
    return yield* fault(`Product ${productId} exists in several games: ${games}. Choose one with --game`)
  }
  if (one["has_finish"] !== true)
    return yield* fault(
      `Product ${productId} has no finish ${finish}. Choose one with --finish: ${String(one["finishes"] ?? "")}`
    )
  return { gameId: String(one["game_id"]), productId }
}, Effect.scoped)

/** Adds a watch; an equal one is not added twice. */
export const addWatch = Effect.fn("addWatch")(function* (watch: NewWatch) {
  if (watch.below === null && watch.above === null && watch.percent === null) {
    return yield* new Fault("NotWatched", "Pass a limit: --below, --above or --percent")
  }
  const { above, below, days, finish, percent, source } = watch
  const wanted = { ...(yield* findWatched(watch)), finish, source, below, above, percent, days }
  const addedAt = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const file = yield* documentPath
  return yield* alone(
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const identify = (one: Omit<Watch, "number" | "addedAt">) =>
        JSON.stringify([one.gameId, one.productId, one.finish, one.source, one.below, one.above, one.percent, one.days])
      const same = watched.find((one) => identify(one) === identify(wanted))
      if (same !== undefined) return same
      const added: Watch = { ...wanted, number: next, addedAt }
      yield* writeJson(file, Watchlist, { next: next + 1, watched: [...watched, added] }, onlyOwner)
      return added
    })
  )
})

/** Removes a watch by number. */
export const removeWatch = Effect.fn("removeWatch")(function* (number: number) {
  const file = yield* documentPath
  return yield* alone(
    Effect.gen(function* () {
      const { next, watched } = yield* readWatchlist
      const found = watched.find((one) => one.number === number)
      if (found === undefined) {
        return yield* new Fault(
          "NotWatched",
          `The watchlist has no number ${number}. List all with: cardlake watch list`
        )
      }
      yield* writeJson(file, Watchlist, { next, watched: watched.filter((one) => one !== found) }, onlyOwner)
      return found
    })
  )
})

const macros = ownText(new URL("watch.sql", import.meta.url))

const formatRow = (one: Watch): string =>
  `(${one.number}, ${sqlText(one.gameId)}, ${one.productId}, ${text(one.finish)}, ${text(one.source)}, ${text(one.below)}, ${text(one.above)}, ${text(one.percent)}, ${one.days})`

/** Returns SQL that defines the macro `watch_hits` for a connection to the lake; null = the list is empty. */
export const watchSql = (watched: ReadonlyArray<Watch>): string | null =>
  watched.length === 0
    ? null
    : `create or replace temp view own_watch as
select number::bigint as number, game_id::varchar as game_id, product_id::bigint as product_id, finish::varchar as finish, source::varchar as source,
  below::varchar as below, above::varchar as above, percent_wanted::varchar as percent_wanted, days::bigint as days
from (values ${watched.map(formatRow).join(",\n  ")}) w(number, game_id, product_id, finish, source, below, above, percent_wanted, days);

${macros}`

/** A price of a watched product; numbers are exact texts. */
export type WatchedPrice = Readonly<Record<string, Json>>

/** Reads the prices of all watched products; those that have reached their bounds come first. */
export const watchHits = Effect.fn("watchHits")(function* () {
  const { watched } = yield* readWatchlist
  const sql = watchSql(watched)
  if (sql === null) return []
  const session: Session = yield* openLake
  yield* session.run("Open the watchlist", sql)
  return yield* lakeStep("Read the watchlist", async () =>
    (await session.connection.runAndReadAll("from watch_hits()")).getRowObjectsJson()
  )
}, Effect.scoped)
