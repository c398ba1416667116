import { basename } from "node:path"
import { Effect } from "effect"
import { sqlText, type Session } from "../duckdb/Lake.ts"
import { verifySummed, verifyFile, type FileOnRecord } from "../../home/verifyFile.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { changesFiles, partFiles, snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { Home } from "../../home/Home.ts"
import { feedFiles, feedRows, feedTables } from "./feed.ts"
import { historyRows } from "./historyFiles.ts"
import type { Night } from "./nights.ts"
import { firstTables, partTables } from "../../../feed/schema/partTables.ts"
import { isThere } from "../../home/disk.ts"

const selectList = (list: string, item: string): string =>
  `select game_id, product_id, generate_subscripts(${list}, 1)::integer as position, unnest(${list}) as ${item} from versions`

/** Tables derived from versions, except for price blocks and the feed's order of ids. */
const versioned: Readonly<Record<string, { readonly from: string; readonly key: string; readonly sql: string }>> = {
  products: { from: "product_versions", key: "product_id", sql: "select *, null::json as price_extra from versions" },
  product_languages: { from: "product_versions", key: "product_id", sql: selectList("languages", "language") },
  product_finishes: { from: "product_versions", key: "product_id", sql: selectList("finishes", "finish") },
  expansions: { from: "expansion_versions", key: "expansion_id", sql: "from versions" },
  external_ids: {
    from: "external_id_versions",
    key: "product_id, system, finish, external_id",
    sql: `select *, row_number() over (partition by product_id, system order by finish, external_id)::integer as position
      from versions`
  }
}

/**
 * Reads tables of pruned nights from the history: the last version of every item, and the night's additions to the
 * changelog. `nights` are all of a game, oldest first. Null: the history lacks the table.
 */
export const pastTables = (session: Session, nights: ReadonlyArray<Night>) => {
  const verified = new Set<string>()
  const verify = Effect.fnUntraced(function* (night: Night, names: ReadonlyArray<string>) {
    const files = (yield* versionFiles(night)).filter(({ file }) => names.includes(basename(file, ".parquet")))
    for (const one of files.filter(({ file }) => !verified.has(file))) {
      yield* verifyFile(one)
      verified.add(one.file)
    }
  })

  const ofCatalogue = Effect.fnUntraced(function* (table: string, until: ReadonlyArray<Night>) {
    const rule = versioned[table]
    const versions = partTables.find(({ name }) => name === rule?.from)
    if (rule === undefined || versions === undefined) return null
    for (const night of until)
      yield* verify(night, night.follows === null ? [versions.name, ...firstTables] : [versions.name])
    const columns = tableNamed(table).columns.map(({ name }) => name)
    return `with versions as (
      from (
        from (${historyRows(versions, until)})
        qualify row_number() over (partition by ${rule.key} order by snapshot desc) = 1
      ) where change <> 'removed'
    ) select ${columns.join(", ")} from (${rule.sql})`
  })

  const ofFeed = Effect.fnUntraced(function* (table: string, night: Night, before: Night | undefined) {
    const files = yield* feedFiles(night.gameId)
    if (!files.every((file) => isThere(file))) return null
    yield* Effect.forEach(files, verifySummed, { discard: true })
    const selectRows = (name: string) =>
      feedRows(
        tableNamed(name),
        files.filter((file) => basename(file, ".parquet") === name)
      )
    const selectSequence = (id: string | null) =>
      `(select max(sequence) from (${selectRows("deployments")}) where deployment_id = ${id === null ? "null" : sqlText(id)})`
    const ends = [before?.deploymentId ?? null, night.deploymentId].map(selectSequence)
    const [known] = yield* session.rows("Find the night in the changelog", `select ${ends[0]} as a, ${ends[1]} as b`)
    if ((before?.deploymentId ?? null) !== null && known?.["a"] === null) return null
    if (night.deploymentId !== null && known?.["b"] === null) return null
    return `from (${selectRows(table)}) where deployment_id in (
      select deployment_id from (${selectRows("deployments")})
      where sequence > coalesce(${ends[0]}, 0) and sequence <= coalesce(${ends[1]}, 0)
    )`
  })

  return (night: Night, table: string) => {
    const index = nights.indexOf(night)
    return feedTables.some(({ name }) => name === table)
      ? ofFeed(table, night, nights[index - 1])
      : ofCatalogue(table, nights.slice(0, index + 1))
  }
}

/** Returns the files with a night's versions and their recorded checksums. */
const versionFiles = Effect.fnUntraced(function* (night: Night) {
  if (night.versionsIn !== null) return partFiles(night.versionsIn)
  if (night.follows !== null) return yield* changesFiles(night.gameId, night.snapshot)
  const folder = (yield* Home).snapshot(night.gameId, night.snapshot)
  const files: ReadonlyArray<FileOnRecord> = yield* snapshotFiles(yield* readSnapshot(folder))
  return files
})
