import { basename, join } from "node:path"
import { Effect } from "effect"
import { sqlText, type Session } from "../duckdb/Lake.ts"
import { verifySummed, verifyFile, type FileOnRecord, isThere, FileDamaged } from "../../home/disk.ts"
import { tableNamed, snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { partFiles, snapshotFiles, partRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { changesFiles } from "../../home/Diff.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { Home } from "../../home/Home.ts"
import { feedFiles, feedRows, feedTables } from "./feed.ts"
import { historyRows } from "./historyFiles.ts"
import type { Night } from "./nights.ts"
import { firstTables, partTables, priceTables } from "../../../feed/schema/partTables.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { nightlyFiles, nightlyRows, nightlyTables } from "./nightlyTables.ts"

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

export interface NightTable {
  /** SQL of its rows, with current columns. */
  readonly sql: string
  /** Recorded row count; null if unknown. */
  readonly rows: number | null
  /** The file with exactly these rows in key order; null if there is none. */
  readonly sortedFile: string | null
}

/** Returns the unknown keys of a pruned night; null if it was pruned before these were stored. */
const prunedDrift = Effect.fnUntraced(function* ({ gameId, snapshot }: Night) {
  const file = (yield* Home).drift(gameId, snapshot)
  if (!isThere(file)) return null
  yield* verifySummed(file)
  return { sql: feedRows(tableNamed("drift"), [file]), rows: null, sortedFile: null } satisfies NightTable
})

/** Reads a night's tables from their current location after verifying each checksum. Null if the table was pruned. */
export const nightTables = Effect.fnUntraced(function* (night: Night) {
  const home = yield* Home
  const { gameId, snapshot } = night
  const folder = home.snapshot(gameId, snapshot)
  const whole = isThere(join(folder, "manifest.json")) ? yield* readSnapshot(folder) : null
  const files = whole !== null ? yield* snapshotFiles(whole) : night.pricesIn === null ? [] : partFiles(night.pricesIn)
  const verify = (table: string) =>
    Effect.forEach(
      files.filter(({ file }) => basename(file) === `${table}.parquet`),
      verifyFile,
      { discard: true }
    )

  const ofSnapshot = Effect.fnUntraced(function* (table: string) {
    const isPrice = priceTables.some(({ name }) => name === table)
    if (whole === null && table === "drift") return yield* prunedDrift(night)
    if (whole === null && !isPrice) return null
    yield* verify(table)
    const one = { folder, manifest: { gameId, snapshot } }
    const sql = whole === null ? yield* partRows(one, table) : yield* snapshotRows([whole], table)
    const counts = whole === null ? night.tables : whole.manifest.tables
    const file = join(folder, `${table}.parquet`)
    const sortedFile = tableNamed(table).query === "" && isThere(file) ? file : null
    return { sql, rows: counts[table]?.rows ?? null, sortedFile } satisfies NightTable
  })

  const ofChanges = Effect.fnUntraced(function* (table: TableFile) {
    if (night.follows === null) return { sql: nightlyRows(table, []), rows: 0, sortedFile: null } satisfies NightTable
    const changes = home.changes(gameId, snapshot)
    const read = nightlyFiles(table.name).map((file) => join(changes, `${file}.parquet`))
    const known = yield* changesFiles(gameId, snapshot)
    yield* Effect.forEach(
      known.filter(({ file }) => read.includes(file)),
      verifyFile,
      { discard: true }
    )
    const missing = read.find((file) => !isThere(file))
    if (missing !== undefined) {
      return whole === null ? null : yield* new FileDamaged({ file: missing, what: "it is missing" })
    }
    const sql = nightlyRows(table, [{ folder: changes, contractVersion: night.contractVersion }])
    return { sql, rows: null, sortedFile: null } satisfies NightTable
  })

  return (table: string): Effect.Effect<NightTable | null, Effect.Error<ReturnType<typeof ofSnapshot>>, Home> => {
    const changes = nightlyTables.find(({ name }) => name === table)
    if (changes !== undefined) return ofChanges(changes)
    if (snapshotTables.some(({ name }) => name === table)) return ofSnapshot(table)
    return Effect.die(new Error(`A night has no table ${table}`))
  }
})
