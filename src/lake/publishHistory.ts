import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { historyViews, macros, nightsTable } from "./historyTables.ts"
import { priceFiles, versionFiles } from "./historyFiles.ts"
import type { Session } from "./Lake.ts"
import { nightsOf } from "./nights.ts"
import { commentSql, macroCommentSql } from "./tableFile.ts"

/**
 * The history of every game, as views of the lake that is being built: what the Parquet of all its nights says, nothing copied. Schema `files`
 * names the Parquet, the views say what it means. Design: decisions 1 and 8.
 */
export const publishHistory = Effect.fn("publishHistory")(function* (session: Session, current: Current) {
  const games = yield* Effect.forEach(Object.keys(current.games).sort(), (gameId) => nightsOf(current, gameId))
  const nights = games.flat()
  yield* session.set({
    nights: JSON.stringify(
      nights.map(({ gameId, manifest, place, snapshot }) => ({
        game_id: gameId,
        snapshot,
        place,
        deployment_id: manifest.deploymentId,
        deployed_at: manifest.deployedAt,
        seen_at: manifest.extractedAt
      }))
    )
  })
  yield* session.run("Publish nights", `${nightsTable.sql}; ${commentSql(nightsTable, "table")}`)
  const files = [
    ...["source_prices", "marketplace_prices"].map((name) => priceFiles(name, nights)),
    ...(["product", "expansion", "external_id"] as const).map((entity) => versionFiles(entity, games))
  ]
  yield* session.run("Publish the history's files", ["create schema files", ...files].join(";\n"))
  for (const view of historyViews) {
    yield* session.run(`Publish ${view.name}`, `${view.sql}; ${commentSql(view, "view")}`)
  }
  for (const macro of macros) {
    yield* session.run(`Publish ${macro.name}`, `${macro.sql}; ${macroCommentSql(macro)}`)
  }
})
