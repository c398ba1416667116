import { readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Random } from "effect"
import { Lake, sqlText, type Session } from "../lake/Lake.ts"
import { lakeStep } from "../lake/LakeError.ts"
import type { SnapshotFolder } from "../lake/loadSnapshot.ts"
import { snapshotsOf } from "../lake/snapshots.ts"
import { snapshotTables } from "../lake/snapshotTables.ts"
import { syncToDisk, writeJson } from "../lake/writeFile.ts"
import { Diff } from "./Diff.ts"

const sql = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8")

/**
 * Computes what changed between two snapshots of a game and holds it against the changelog. Writes `changes.parquet`,
 * `reconciliations.parquet` and `diff.json` into `folder`. Design: `changes` and `reconciliations`.
 */
export const diffSnapshots = Effect.fn("diffSnapshots")(function* (
  from: SnapshotFolder,
  to: SnapshotFolder,
  folder: string
) {
  const session = yield* openDiff(from, to)
  yield* lakeStep(`Make ${folder}`, () => mkdir(folder, { recursive: true }))
  for (const [table, order] of [
    ["changes", "entity, id, field nulls first"],
    ["reconciliations", "entity, item_id, slug"]
  ]) {
    const file = join(folder, `${table}.parquet`)
    yield* session.run(
      `Write ${table}.parquet`,
      `copy (from ${table} order by ${order}) to ${sqlText(file)} (format parquet, compression zstd)`
    )
    yield* syncToDisk(file)
  }
  const diff = yield* summary(session, from, to)
  yield* writeJson(join(folder, "diff.json"), Diff, diff)
  return diff
}, Effect.scoped)

/** A session whose temporary tables `changes` and `reconciliations` hold the difference of two snapshots. */
export const openDiff = Effect.fnUntraced(function* (from: SnapshotFolder, to: SnapshotFolder) {
  const { gameId } = to.manifest
  const session = yield* (yield* Lake).session
  const scratch = `diff_${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
  yield* Effect.acquireRelease(session.run("Open the diff", `attach ':memory:' as ${scratch}; use ${scratch}`), () =>
    Effect.ignore(session.run("Close the diff", `use memory; detach ${scratch}`))
  )
  const known = yield* snapshotsOf(gameId)
  const folders = [...new Set([...known, from, to].map((snapshot) => snapshot.folder))]
  yield* session.run(
    "Open the snapshots",
    [
      ...viewsOf("before", from.folder),
      ...viewsOf("after", to.folder),
      `create view feed_deployments as select distinct on (deployment_id) * from ${filesOf(folders, "deployments")}`,
      `create view feed_changes as select distinct * from ${filesOf(folders, "deployment_changes")}`
    ].join(";\n")
  )
  yield* session.set({
    game_id: gameId,
    from_snapshot: from.manifest.snapshot,
    to_snapshot: to.manifest.snapshot,
    from_sequence: from.manifest.lastSequence,
    to_sequence: to.manifest.lastSequence
  })
  yield* session.run("Compare the snapshots", sql("compare.sql"))
  yield* session.run("Reconcile with the changelog", sql("reconcile.sql"))
  return session
})

/** Counts the session's difference. */
export const summary = Effect.fnUntraced(function* (session: Session, from: SnapshotFolder, to: SnapshotFolder) {
  const [row = {}] = yield* session.rows("Count the changes", sql("summary.sql"))
  const count = (name: string) => Number(row[name])
  return {
    gameId: to.manifest.gameId,
    from: from.manifest.snapshot,
    to: to.manifest.snapshot,
    fromDeployment: from.manifest.deploymentId,
    toDeployment: to.manifest.deploymentId,
    changes: {
      products: {
        added: count("products_added"),
        removed: count("products_removed"),
        modified: count("products_modified"),
        modifiedCatalogue: count("products_modified_catalogue"),
        modifiedPrice: count("products_modified_price")
      },
      expansions: {
        added: count("expansions_added"),
        removed: count("expansions_removed"),
        modified: count("expansions_modified"),
        modifiedCatalogue: count("expansions_modified"),
        modifiedPrice: 0
      }
    },
    unclaimedRemovals: count("unclaimed_removals"),
    reconciliation:
      from.manifest.lastSequence > to.manifest.lastSequence
        ? null
        : {
            confirmed: count("confirmed"),
            claimedNotSeen: count("claimed_not_seen"),
            seenNotClaimed: count("seen_not_claimed"),
            unexplained: count("unexplained")
          }
  } satisfies Diff
})

const viewsOf = (schema: string, folder: string): ReadonlyArray<string> => [
  `create schema ${schema}`,
  ...snapshotTables.map((table) => `create view ${schema}.${table.name} as from ${filesOf([folder], table.name)}`)
]

const filesOf = (folders: ReadonlyArray<string>, table: string): string =>
  `read_parquet([${folders.map((folder) => sqlText(join(folder, `${table}.parquet`))).join(", ")}], hive_partitioning = false)`
