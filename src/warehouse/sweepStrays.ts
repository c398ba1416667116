import { Effect } from "effect"
import type { Session } from "../store/lake/duckdb/Lake.ts"
import type { Destination } from "./destination/Destination.ts"
import { Strays, straysFile, tableName, writeDocument } from "./drop/Drop.ts"
import { foldersOfDay, sweepLeftovers, type SweepDay } from "./drop/sweepLeftovers.ts"
import type { IcebergSettings } from "./formats/iceberg/IcebergSettings.ts"
import { type KeptDrop, readTables, statesOf } from "./readDrop.ts"
import { belowStray, findStrays, provenFiles, removalOf } from "./strays.ts"

/** What lies in a drop and does not belong to it, as a person is told of it. */
export interface StrayLeft {
  readonly path: string
  readonly reason: string
}

/**
 * Sees to what `--verify` noted. Removes partitions of Cardlake's own that neither the state nor this export knows,
 * where everything was exported; names anything else.
 */
export const sweepStrays = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { drop, keptAs }: KeptDrop,
  { isEverything, stage }: { readonly isEverything: boolean; readonly stage: string }
) {
  if ((yield* to.read(straysFile)) === null) return []
  const readTable = yield* readTables(session, to, drop, keptAs, stage)
  const belonging = { to, drop, keptAs, states: yield* statesOf(to, drop), readTable, stage }
  const found = yield* findStrays(belonging)
  const proven = yield* provenFiles(belonging, found.below)
  if (isEverything) yield* Effect.forEach(proven, to.remove, { discard: true })
  const { below, strays } = isEverything && proven.length > 0 ? yield* findStrays(belonging) : found
  if (strays.length === 0) yield* to.remove(straysFile)
  else yield* writeDocument(to, straysFile, Strays, { strays })
  const ours = new Set(proven)
  // A later export of everything sees to Cardlake's own.
  const foreign = strays.filter((stray) => !below.every((path) => !belowStray(stray, path) || ours.has(path)))
  return foreign.map((path): StrayLeft => ({
    path,
    reason: `${path} does not belong to the drop. ${removalOf(to, path)}`
  }))
})

/** How an export removes what a dead one left of a table's day; nothing in plain files, which have one name. */
export const daySweeper = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { drop, keptAs }: KeptDrop,
  stage: string
) {
  const services = yield* Effect.context<IcebergSettings>()
  const sweep: SweepDay = (table, gameId, dt) =>
    Effect.gen(function* () {
      const readTable = yield* readTables(session, to, drop, keptAs, stage)
      if (readTable === null || keptAs.tables === null) return
      const folders = foldersOfDay(`${tableName(table)}/${keptAs.tables.dayFolder(gameId, dt)}`)
      yield* sweepLeftovers(session, to, stage, { folders, readTable, table })
    }).pipe(Effect.scoped, Effect.provideContext(services))
  return sweep
})
