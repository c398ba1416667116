import { readFileSync } from "node:fs"
import type { Json } from "@duckdb/node-api"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { readWatchlist, type Watch } from "./Watchlist.ts"

const macros = readFileSync(new URL("watch.sql", import.meta.url), "utf8")

const text = (value: string | null): string => (value === null ? "null" : sqlText(value))

const rowOf = (one: Watch): string =>
  `(${one.number}, ${sqlText(one.gameId)}, ${one.productId}, ${text(one.finish)}, ${text(one.source)}, ${text(one.below)}, ${text(one.above)}, ${text(one.percent)}, ${one.days})`

/** SQL that gives a connection to the lake macro `watch_hits`; null = nothing is watched. */
export const watchSql = (watched: ReadonlyArray<Watch>): string | null =>
  watched.length === 0
    ? null
    : `create or replace temp view own_watch as
select number::bigint as number, game_id::varchar as game_id, product_id::bigint as product_id, finish::varchar as finish, source::varchar as source,
  below::varchar as below, above::varchar as above, percent_wanted::varchar as percent_wanted, days::bigint as days
from (values ${watched.map(rowOf).join(",\n  ")}) w(number, game_id, product_id, finish, source, below, above, percent_wanted, days);

${macros}`

/** A price of what is watched; figures are exact texts. */
export type WatchedPrice = Readonly<Record<string, Json>>

/** Every price of what is watched, those that have reached their bounds first. */
export const watchHits = Effect.fn("watchHits")(function* () {
  const { watched } = yield* readWatchlist
  const sql = watchSql(watched)
  if (sql === null) return []
  const session: Session = yield* openLake
  yield* session.run("Open the watchlist", sql)
  return yield* lakeStep("Look at the watchlist", async () =>
    (await session.connection.runAndReadAll("from watch_hits()")).getRowObjectsJson()
  )
}, Effect.scoped)
