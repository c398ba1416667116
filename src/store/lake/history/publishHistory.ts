import { Effect, DateTime } from "effect"
import { historyViews, macros, nightsTable, reusedIdsTable, readingsTable } from "./historyTables.ts"
import type { Session } from "../duckdb/Lake.ts"
import type { Night } from "./nights.ts"
import { commentSql, macroCommentSql } from "../../../feed/schema/tableFile.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { clockSlackMillis } from "../../home/newRunId.ts"
import { makeTrust } from "../trust/publishTrust.ts"
import { readConfirmations } from "./tidyHistory.ts"

/**
 * Creates views of the history in the next lake, over the Parquet of all nights; copies nothing. Schema `files` has the
 * Parquet, the views interpret it. Design: decisions 1 and 8.
 */
export const publishHistory = Effect.fn("publishHistory")(function* (
  session: Session,
  nights: ReadonlyArray<Night>,
  files: ReadonlyMap<string, string>
) {
  yield* session.run("Note the earlier nights", text("earlier_nights"))
  yield* publishNights(session, nights)
  const views = [...files].map(([name, sql]) => `create or replace view files.${name} as\n${sql}`)
  yield* session.run("Publish the history's files", views.join(";\n"))
  yield* session.run("Tell products apart", text("is_another"))
  // First nights have no reused ids, and the search takes as long as publishing their prices.
  const isFirst = nights.every(({ follows }) => follows === null)
  const looked = yield* session.rows(
    "Look for reused ids",
    isFirst ? "delete from earlier_reused_ids" : text("fresh_nights")
  )
  const query = looked[0]?.["is_found"] === true ? reusedIdsTable.query : noneFound
  yield* session.run("Publish reused_ids", `${query}; ${commentSql(reusedIdsTable, "table")}`)
})

const noneFound = "create or replace table reused_ids as from earlier_reused_ids order by game_id, product_id, seen_at"

const text = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))

const meant = ownText(new URL("../macros/meant.sql", import.meta.url))

/**
 * Creates the questions over the history and current tables. They change only with the program. A front reads names and
 * the trust in prices in its own way, and leaves macros out.
 */
export const publishQuestions = Effect.fn("publishQuestions")(function* (
  session: Session,
  of: { readonly meant: string; readonly leftOut: ReadonlyArray<string>; readonly trust?: string } = {
    meant,
    leftOut: []
  }
) {
  yield* session.run("Publish the conversion of currencies", ownText(new URL("../fx/converted.sql", import.meta.url)))
  yield* session.run("Publish the reading of times", ownText(new URL("../macros/as_time.sql", import.meta.url)))
  yield* session.run("Publish the reading of names", of.meant)
  for (const view of historyViews) {
    yield* session.run(`Publish ${view.name}`, `${view.sql}; ${commentSql(view, "view")}`)
  }
  yield* makeTrust(session, of.trust)
  for (const macro of macros.filter(({ name }) => !of.leftOut.includes(name))) {
    yield* session.run(`Publish ${macro.name}`, `${macro.sql}; ${macroCommentSql(macro)}`)
    if (macro.view === "") continue
    const view = `create view ${macro.name} as from ${macro.name}()`
    yield* session.run(`Publish view ${macro.name}`, `${view}; ${commentSql(macro, "view")}`)
  }
})

export const publishNights = Effect.fnUntraced(function* (session: Session, nights: ReadonlyArray<Night>) {
  const facts = ["gameId", "snapshot", "place", "deploymentId", "deployedAt", "dialect", "seenAt"]
  yield* session.set({ nights: JSON.stringify(nights, facts) })
  yield* session.run("Publish nights", `${nightsTable.sql}; ${commentSql(nightsTable, "table")}`)
})

/** Creates table `readings` from `nights`, table `runs`, and the confirmations of deleted reports. */
export const publishReadings = Effect.fnUntraced(function* (session: Session, games: ReadonlyArray<string>) {
  const confirmations = yield* Effect.forEach(games, (gameId) =>
    // If a file is unreadable, only its confirmations are missing.
    Effect.catchTag(readConfirmations(gameId), "FileDamaged", ({ message }) =>
      Effect.as(Effect.logWarning(message), [])
    )
  )
  const until = DateTime.add(yield* DateTime.now, { milliseconds: clockSlackMillis })
  yield* session.set({ confirmations: JSON.stringify(confirmations.flat()), readings_until: DateTime.formatIso(until) })
  yield* session.run("Gather the nights without news", text("confirmed"))
  yield* session.run("Publish readings", `${readingsTable.sql}; ${commentSql(readingsTable, "table")}`)
})
