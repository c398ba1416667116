import { Effect, Schema } from "effect"
import { GameId, SnapshotId } from "../../feed/contract/Ids.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { isPathBelow, recordOf } from "../../feed/guard/joinBelow.ts"
import { dayFolder } from "./days.ts"

/** `drop.json` at the root: marks a folder or prefix as a drop, and says how its files are written. */
export const Drop = Schema.Struct({
  format: Schema.Literal("cardlake drop"),
  layout: Schema.Literal(1),
  decimals: Schema.Literals(["exact", "text"]),
  /** The name of a format of tables; absent = Parquet by table, game and day. */
  tableFormat: Schema.optionalKey(Schema.String),
  /** Address of the REST catalogue that has the tables; absent = they are known by their files. */
  catalogue: Schema.optionalKey(Schema.String),
  /** Where the tables are in that catalogue. */
  namespace: Schema.optionalKey(Schema.String),
  games: Schema.Array(GameId)
})
export type Drop = typeof Drop.Type

/** A drop, where its files are fetched to, and who reads them. */
export interface DropAt {
  readonly session: Session
  readonly to: Destination
  readonly drop: Drop
  readonly stage: string
}

/** A night as the drop has it: enough to notice later that it was taken back. */
export const DropNight = Schema.Struct({
  snapshot: SnapshotId,
  seenAt: Schema.String,
  deploymentId: Schema.NullOr(Schema.String),
  deployedAt: Schema.NullOr(Schema.String)
})
export type DropNight = typeof DropNight.Type

/** A day of a game: its nights, including those taken back, and what each table's partition was made from. */
const DropDay = Schema.Struct({
  nights: Schema.Array(DropNight),
  tables: Schema.Record(Schema.String, Schema.String),
  /** Of each partition's file; empty = it has no rows, and in a table format no file. */
  sha256: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

/** Marks a table that the home no longer had for these nights: it is not tried again. */
export const notInHome = (madeFrom: string): string => `not kept ${madeFrom}`
/** Whether a state says that a drop has a table of a day. */
export const hasTable = (madeFrom: string): boolean => !madeFrom.startsWith("not kept")
/** Marks one that was found damaged: the next export writes it again. */
export const damaged = "damaged" as const

/** Marks one that an export began to write, before it put anything there. If it died, the next one writes it again. */
export const unfinished = "unfinished" as const

/** Whether an export died over a table of a day, or it was found damaged: files may be there that nothing names. */
export const isUnsure = (madeFrom: string | undefined): boolean => madeFrom === unfinished || madeFrom === damaged

/** Whether a partition is written even if it seems to be there. Plain files are put in place one after the other. */
export const isRewritten = (madeFrom: string | undefined, { tables }: { readonly tables: object | null }): boolean =>
  madeFrom === damaged || (madeFrom === unfinished && tables === null)

/** `_state/<game>.json`: what a drop has of a game, by day, so that an export need not check older nights. */
export const DropState = Schema.Struct({ days: recordOf(isPathBelow, DropDay) })
export type DropState = typeof DropState.Type

/** A state with some tables of a day changed. */
export const withTables = (state: DropState, dt: string, tables: Readonly<Record<string, string>>): DropState => {
  const day = state.days[dt]
  return { days: { ...state.days, [dt]: { ...day, nights: day?.nights ?? [], tables: { ...day?.tables, ...tables } } } }
}

/** A state that notes which tables of a day are about to be written. What is damaged is not known to be less than that. */
export const withPlanned = (state: DropState, dt: string, tables: ReadonlyArray<string>): DropState =>
  withTables(
    state,
    dt,
    Object.fromEntries(tables.map((name) => [name, state.days[dt]?.tables[name] === damaged ? damaged : unfinished]))
  )

/**
 * `_manifest.json` of a partition, written after its file and before `_SUCCESS`. `entries` is what Redshift's COPY
 * takes as a manifest. Engines pass over names that begin with `_`.
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
  /** Nights whose rows it has; none = all were taken back. */
  snapshots: Schema.Array(Schema.String),
  /** A night of it was pruned: these rows come from the history. */
  fromHistory: Schema.Boolean,
  rows: Schema.Int,
  bytes: Schema.Int,
  sha256: Schema.String,
  /** Exact sums of the figures, as text; null = no figure. */
  sums: Schema.Record(Schema.String, Schema.NullOr(Schema.String))
})
export type PartitionManifest = typeof PartitionManifest.Type

/** A document of the drop is not what Cardlake wrote there. */
export class DropDamaged extends Schema.TaggedError<DropDamaged>()("DropDamaged", { path: Schema.String }) {
  override get message() {
    return `${this.path} is not what Cardlake wrote there. Put it back from a copy, or export to another destination`
  }
}

/** What a drop has in place of a game where rows belong to none; no game can be called so. */
export const allGames = "_all"
/** `_strays.json`: what `--verify` found in a drop that does not belong to it, so that the next export sees to it. */
export const Strays = Schema.Struct({ strays: Schema.Array(Schema.String) })

export const dropFile = "drop.json"
export const straysFile = "_strays.json"
/** There while a compaction is at work, or if it died: files of several days may be there that no table names. */
export const compactingFile = "_compacting.json"
export const stateFile = (gameId: string) => `_state/${gameId}.json`
export const tableFolder = (table: string, version: number) => `${table}/v=${version}`
export const partitionFolder = (table: string, version: number, gameId: string, dt: string) =>
  `${tableFolder(table, version)}/game=${gameId}/dt=${dt}`
/** The place that a manifest names. */
export const placeOf = ({ dt, game, table, version }: PartitionManifest) => partitionFolder(table, version, game, dt)
/** What a table format calls a table: that of a later version stands beside the first. */
export const tableName = ({ name, version }: { readonly name: string; readonly version: number }) =>
  version === 1 ? name : `${name}_v${version}`
/** A partition's file below its table, named by its content. */
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
/** Whether a manifest is that of a partition: its place and its one file. A drop that was moved has the former address. */
export const namesFile = (manifest: PartitionManifest, folder: string): boolean =>
  placeOf(manifest) === folder &&
  manifest.entries.length === 1 &&
  manifest.entries.every(({ url }) => url === partName || url.endsWith(`/${folder}/${partName}`))
/** Where a table's files are, for those who read its contract. */
export const partitionFiles = ({ name, version }: { readonly name: string; readonly version: number }) =>
  `${partitionFolder(name, version, "<game>", "<day>")}/${partName}`

/** A document of the drop; null if there is none. */
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

/** Whose states a drop has: its games, and what belongs to none, once there is something of it. */
export const ownersOf = (to: Destination, { games }: Drop) =>
  Effect.map(to.read(stateFile(allGames)), (text) => (text === null ? games : [...games, allGames]))

/** A partition's manifest; null = there is none, `damaged` = it is not what Cardlake wrote there. */
export const readManifest = (to: Destination, folder: string) =>
  Effect.catchTag(readDocument(to, `${folder}/_manifest.json`, PartitionManifest), "DropDamaged", () =>
    Effect.succeed(damaged)
  )

/** Writes a document unless there is one; false = there is, and it stays. */
export const createDocument = Effect.fnUntraced(function* <S extends Schema.Encoder<object>>(
  to: Destination,
  path: string,
  schema: S,
  value: S["Type"]
) {
  const document = yield* Effect.orDie(Schema.encodeEffect(schema)(value))
  return yield* to.create(path, `${JSON.stringify(document, null, 1)}\n`)
})

export const writeDocument = Effect.fnUntraced(function* <S extends Schema.Encoder<object>>(
  to: Destination,
  path: string,
  schema: S,
  value: S["Type"]
) {
  const document = yield* Effect.orDie(Schema.encodeEffect(schema)(value))
  yield* to.write(path, `${JSON.stringify(document, null, 1)}\n`)
})
