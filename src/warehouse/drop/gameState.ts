import { Effect, Schema } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import {
  type DropState,
  stateFile,
  type Drop,
  damaged,
  DropNight,
  partitionFolder,
  partName,
  manifestFolder,
  readManifest,
  tableFolder,
  createState,
  readState
} from "./Drop.ts"
import type { KeptAs } from "./ExportFormat.ts"
import { SnapshotId } from "../../feed/contract/Ids.ts"
import { type ExportTable, dropReadings, exportTables, isOfHistory, nightsName, type Decimals } from "./exportTables.ts"
import { asDropNight, madeFrom } from "./planDays.ts"

type MissingState = Record<"gameId" | "stage", string> & { readonly decimals: Decimals }

const NightRows = Schema.Array(
  Schema.Struct({
    ...DropNight.fields,
    counts: Schema.Boolean,
    place: Schema.NullOr(Schema.Int),
    follows: Schema.NullOr(SnapshotId)
  })
)

/** Marks partitions that exist; the export checks them again and keeps them if they are correct. */
const there = "found there"

const asIso = (column: string, digits: string) => `strftime(${column}::timestamptz, '%Y-%m-%dT%H:%M:%S.${digits}Z')`

const nightsIn = Effect.fnUntraced(function* (session: Session, file: string) {
  const rows = yield* session.rows(
    `Read ${file}`,
    `select snapshot_id as snapshot, ${asIso("read_at", "%g")} as "seenAt", deployment_id as "deploymentId",
       ${asIso("deployed_at", "%f")} as "deployedAt", counts, place, follows
     from read_parquet(${sqlText(file)}, hive_partitioning = false) order by place nulls first, snapshot_id`
  )
  return yield* Schema.decodeUnknownEffect(NightRows)(rows)
})

/** Reads a day with nights; null: table `nights` does not have it. */
const readDay = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { decimals, gameId, stage }: MissingState,
  nightsTable: ExportTable,
  dt: string
) {
  const folder = partitionFolder(nightsTable, gameId, dt)
  const own = yield* readManifest(to, folder)
  if (own === null) return null
  const path = `${folder}/${partName}`
  if (own !== damaged && manifestFolder(own) !== folder) {
    return yield* stateMissing(to.address, gameId, `and ${to.root}/${path} belongs to ${manifestFolder(own)}`)
  }
  const unreadable = stateMissing(to.address, gameId, `and ${to.root}/${path} cannot be read`)
  const file = yield* to.fetch(path, stage)
  if (file === null) return yield* unreadable
  const nights = yield* Effect.mapError(nightsIn(session, file), () => unreadable)
  const counting = nights.filter(({ counts }) => counts)
  const takenBack = nights.filter(({ counts }) => !counts)
  const made: Record<string, string> = {}
  const sha256: Record<string, string> = {}
  for (const table of exportTables(decimals).filter(({ scope }) => scope === "game")) {
    const place = partitionFolder(table, gameId, dt)
    const manifest = yield* readManifest(to, place)
    if (manifest === null) continue
    if (isOfHistory(table)) {
      made[table.name] = manifest === damaged ? damaged : there
      continue
    }
    const wanted = (table.name === nightsName ? nights : counting).map(({ snapshot }) => snapshot)
    const isRight =
      manifest !== damaged &&
      manifestFolder(manifest) === place &&
      manifest.snapshots.toSorted().join() === wanted.toSorted().join()
    made[table.name] = isRight ? madeFrom(table, counting, takenBack) : damaged
    if (manifest !== damaged) sha256[table.name] = manifest.sha256
  }
  return { nights: [...takenBack, ...counting].map(asDropNight), tables: made, sha256 }
})

/**
 * Rebuilds a game's state from an export of plain files: from the days of table `nights` and each day's manifests.
 * Marks partitions that do not match, so that the next run writes them again.
 */
export const rebuildState = Effect.fnUntraced(function* (session: Session, to: Destination, missing: MissingState) {
  const { decimals, gameId } = missing
  const tables = exportTables(decimals)
  const daysIn = (table: ExportTable) =>
    Effect.map(to.folders(`${tableFolder(table)}/game=${gameId}`), (names) =>
      names.flatMap((name) => (name.startsWith("dt=") ? [name.slice("dt=".length)] : []))
    )
  const days: Record<string, DropState["days"][string]> = {}
  for (const table of tables.filter(({ name }) => name === nightsName)) {
    for (const dt of yield* daysIn(table)) {
      const found = yield* readDay(session, to, missing, table, dt)
      if (found !== null) days[dt] = found
    }
  }
  // Readings and backfills also have days without a night.
  for (const table of tables.filter(({ name, scope }) => scope === "past" || name === dropReadings.name)) {
    for (const dt of yield* daysIn(table)) {
      const manifest = yield* readManifest(to, partitionFolder(table, gameId, dt))
      const made = manifest === damaged ? damaged : there
      if (manifest !== null) days[dt] = { nights: [], ...days[dt], tables: { ...days[dt]?.tables, [table.name]: made } }
    }
  }
  return { days } satisfies DropState
})

/** Without its state, a game's rolled-back nights could stay in the export. `what`: why it cannot be rebuilt. */
const stateMissing = (address: string, gameId: string, what: string) =>
  new Fault(
    "StateLost",
    `${address}/${stateFile(gameId)} is missing, ${what}. Without it, nights that were rolled back could stay in the export. Restore it from a backup, or export to another destination`
  )

const newState = Effect.fnUntraced(function* (to: Destination, gameId: string, state: DropState) {
  if (yield* createState(to, gameId, state)) return state
  return yield* new Fault(
    "DropClaimed",
    `Another export is writing ${gameId} to ${to.address}, so this one wrote nothing of that game. When the other has finished, run again: cardlake export --to ${shellWord(to.address)}`
  )
})

/** Claims a game for its first export, before `drop.json` names it, because every game there must have a state. */
export const claimGame = Effect.fnUntraced(function* (to: Destination, gameId: string) {
  if ((yield* to.read(stateFile(gameId))) === null) yield* newState(to, gameId, { days: {} })
})

/** Reads the state of a claimed game. A missing state is rebuilt from plain files, but not in table formats. */
export const gameState = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { decimals }: Drop,
  keptAs: KeptAs,
  missing: Omit<MissingState, "decimals">
) {
  const { gameId } = missing
  const found = yield* readState(to, gameId)
  if (found !== null) return found
  if (keptAs.tables === null) {
    return yield* newState(to, gameId, yield* rebuildState(session, to, { ...missing, decimals }))
  }
  return yield* stateMissing(to.address, gameId, `and ${keptAs.name} tables cannot replace it`)
})
