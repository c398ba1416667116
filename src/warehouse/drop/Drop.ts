import { Effect, Schema } from "effect"
import { GameId, SnapshotId } from "../../feed/contract/Ids.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { isPathBelow, namedRecord } from "../../feed/guard/joinBelow.ts"
import { dayFolder } from "./days.ts"

/** `drop.json` at the root: marks a folder or prefix as an export, and names the format of its files. */
export const Drop = Schema.Struct({
  format: Schema.Literal("cardlake drop"),
  layout: Schema.Literal(1),
  decimals: Schema.Literals(["exact", "text"]),
  /** The name of a table format; absent = Parquet files by table, game and day. */
  tableFormat: Schema.optionalKey(Schema.String),
  /** The address of the REST catalogue with the tables; absent = files alone. */
  catalogue: Schema.optionalKey(Schema.String),
  /** The namespace of the tables in that catalogue. */
  namespace: Schema.optionalKey(Schema.String),
  games: Schema.Array(GameId)
})
export type Drop = typeof Drop.Type

/** An export, with the staging folder for its downloads and the session that reads them. */
export interface DropAt {
  readonly session: Session
  readonly to: Destination
  readonly drop: Drop
  readonly stage: string
}

/** A night in the export, with the facts that show later if it was rolled back. */
export const DropNight = Schema.Struct({
  snapshot: SnapshotId,
  seenAt: Schema.String,
  deploymentId: Schema.NullOr(Schema.String),
  deployedAt: Schema.NullOr(Schema.String)
})
export type DropNight = typeof DropNight.Type

/** A day of a game: its nights, including rolled-back ones, and the inputs of each table's partition. */
const DropDay = Schema.Struct({
  nights: Schema.Array(DropNight),
  tables: Schema.Record(Schema.String, Schema.String),
  /** The hash of each partition's file; empty = it has no rows, and in a table format no file. */
  sha256: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

/** Marks a table whose rows for these nights are no longer in the home, so that no export retries it. */
export const notInHome = (madeFrom: string): string => `not kept ${madeFrom}`
/** True if, according to the state, an export has a table of a day. */
export const hasTable = (madeFrom: string): boolean => !madeFrom.startsWith("not kept")
/** Marks a damaged partition; the next export writes it again. */
export const damaged = "damaged" as const

/** Marks a partition before its first write. If the export is killed, the next one writes it again. */
export const unfinished = "unfinished" as const

/** True if a partition is damaged or an export was killed while it wrote it: unreferenced files may exist. */
export const isUnsure = (madeFrom: string | undefined): boolean => madeFrom === unfinished || madeFrom === damaged

/** True if a partition is written even if it seems to exist. Plain files are written one after another. */
export const isRewritten = (madeFrom: string | undefined, { tables }: { readonly tables: object | null }): boolean =>
  madeFrom === damaged || (madeFrom === unfinished && tables === null)

/** `_state/<game>.json`: an export's contents for a game, by day, so that a run need not check older nights. */
export const DropState = Schema.Struct({ days: namedRecord(isPathBelow, DropDay) })
export type DropState = typeof DropState.Type

export const withTables = (state: DropState, dt: string, tables: Readonly<Record<string, string>>): DropState => {
  const day = state.days[dt]
  return { days: { ...state.days, [dt]: { ...day, nights: day?.nights ?? [], tables: { ...day?.tables, ...tables } } } }
}

/** Returns a state that marks tables of a day as unfinished. A damaged one stays damaged, which includes that. */
export const withPlanned = (state: DropState, dt: string, tables: ReadonlyArray<string>): DropState =>
  withTables(
    state,
    dt,
    Object.fromEntries(tables.map((name) => [name, state.days[dt]?.tables[name] === damaged ? damaged : unfinished]))
  )

/**
 * `_manifest.json` of a partition, written after its file and before `_SUCCESS`. `entries` is the manifest for
 * Redshift's COPY. Engines ignore names that begin with `_`.
 */
export const PartitionManifest = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      url: Schema.String,
      mandatory: Schema.Boolean,
      meta: Schema.Struct({ content_length: Schema.Int, record_count: Schema.Int })
    })
  ),
  table: Schema.String,
  version: Schema.Int,
  game: Schema.String,
  dt: Schema.String,
  /** Nights with rows in it; none = all were rolled back. */
  snapshots: Schema.Array(Schema.String),
  /** True if a night was pruned, so that these rows come from the history. */
  fromHistory: Schema.Boolean,
  rows: Schema.Int,
  bytes: Schema.Int,
  sha256: Schema.String,
  /** Exact sums of the numeric columns, as text; null = no values. */
  sums: Schema.Record(Schema.String, Schema.NullOr(Schema.String))
})
export type PartitionManifest = typeof PartitionManifest.Type

export class DropDamaged extends Schema.TaggedError<DropDamaged>()("DropDamaged", { path: Schema.String }) {
  override get message() {
    return `${this.path} differs from what Cardlake wrote. Restore it from a backup, or export to another destination`
  }
}

/** The name in place of a game for rows that belong to none; it is no valid game id. */
export const allGames = "_all"
/** `_strays.json`: files that `--verify` found and that do not belong to the export, for the next run to handle. */
export const Strays = Schema.Struct({ strays: Schema.Array(Schema.String) })

export const dropFile = "drop.json"
export const straysFile = "_strays.json"
/** Exists during a compaction, or after a killed one: unreferenced files of several days may exist. */
export const compactingFile = "_compacting.json"
export const stateFile = (gameId: string) => `_state/${gameId}.json`
interface VersionedTable {
  readonly name: string
  readonly version: number
}
export const tableFolder = ({ name, version }: VersionedTable) => `${name}/v=${version}`
export const partitionFolder = (table: VersionedTable, gameId: string, dt: string) =>
  `${tableFolder(table)}/game=${gameId}/dt=${dt}`
export const manifestFolder = ({ dt, game, table, version }: PartitionManifest) =>
  partitionFolder({ name: table, version }, game, dt)
/** Returns the name of a table in a table format; versions after the first have a suffix. */
export const tableName = ({ name, version }: VersionedTable) => (version === 1 ? name : `${name}_v${version}`)
/** Returns the path of a partition's file below its table, named by its content. */
export const partitionPath = ({
  dt,
  gameId,
  sha256
}: {
  readonly dt: string
  readonly gameId: string
  readonly sha256: string
}) => `${dayFolder(gameId, dt)}/${sha256}.parquet`
export const partName = "part-00000.parquet"
/** True if a manifest matches its partition's folder and single file. After a move, its address may be outdated. */
export const namesFile = (manifest: PartitionManifest, folder: string): boolean =>
  manifestFolder(manifest) === folder &&
  manifest.entries.length === 1 &&
  manifest.entries.every(({ url }) => url === partName || url.endsWith(`/${folder}/${partName}`))
/** Returns the pattern that matches a table's files, for its `contract.json`. */
export const partitionFiles = (table: VersionedTable) => `${partitionFolder(table, "<game>", "<day>")}/${partName}`

/** Reads a document of the export; null if it is missing. */
export const readDocument = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  to: Destination,
  path: string,
  schema: S
): Effect.fn.Return<S["Type"] | null, DropDamaged | Effect.Error<ReturnType<Destination["read"]>>> {
  const text = yield* to.read(path)
  if (text === null) return null
  const found = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text)
  return yield* Effect.mapError(Effect.fromOption(found), () => new DropDamaged({ path: `${to.address}/${path}` }))
})

/** Returns the owners of states: the export's games, and `_all` if it has rows that belong to no game. */
export const listOwners = (to: Destination, { games }: Drop) =>
  Effect.map(to.read(stateFile(allGames)), (text) => (text === null ? games : [...games, allGames]))

/** Reads a partition's manifest; null = it is missing, `damaged` = it is not as Cardlake wrote it. */
export const readManifest = (to: Destination, folder: string) =>
  Effect.catchTag(readDocument(to, `${folder}/_manifest.json`, PartitionManifest), "DropDamaged", () =>
    Effect.succeed(damaged)
  )

const documentText = <S extends Schema.Encoder<object>>(schema: S, value: S["Type"]) =>
  Effect.map(Effect.orDie(Schema.encodeEffect(schema)(value)), (document) => `${JSON.stringify(document, null, 1)}\n`)

export const writeDocument = <S extends Schema.Encoder<object>>(
  to: Destination,
  path: string,
  schema: S,
  value: S["Type"]
) => Effect.flatMap(documentText(schema, value), (text) => to.write(path, text))

/** Reads the state of a game or of `_all`; null if it is missing. */
export const readState = (to: Destination, owner: string) => readDocument(to, stateFile(owner), DropState)
export const writeState = (to: Destination, owner: string, state: DropState) =>
  writeDocument(to, stateFile(owner), DropState, state)
/** Writes a state unless it exists; false = it exists and is unchanged. */
export const createState = (to: Destination, owner: string, state: DropState) =>
  Effect.flatMap(documentText(DropState, state), (text) => to.create(stateFile(owner), text))
