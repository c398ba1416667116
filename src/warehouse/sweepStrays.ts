import { Effect } from "effect"
import { Strays, straysFile, tableName, writeDocument, type DropAt } from "./drop/Drop.ts"
import { foldersOfDay, sweepLeftovers, type SweepDay } from "./drop/sweepLeftovers.ts"
import type { IcebergSettings } from "./formats/iceberg/IcebergSettings.ts"
import type { Format } from "./formats.ts"
import { readTables, readStates } from "./readDrop.ts"
import { belowStray, findStrays, provenFiles, adviseRemoval } from "./strays.ts"

export interface StrayLeft {
  readonly path: string
  readonly reason: string
}

/**
 * Handles the strays that `--verify` recorded. After an export of everything, it removes Cardlake's partitions that
 * neither the state nor this export knows; it reports all others.
 */
export const sweepStrays = Effect.fnUntraced(function* (at: DropAt, keptAs: Format, isEverything: boolean) {
  const { drop, stage, to } = at
  if ((yield* to.read(straysFile)) === null) return []
  const readTable = yield* readTables(at, keptAs)
  const belonging = { to, drop, keptAs, states: yield* readStates(to, drop), readTable, stage }
  const found = yield* findStrays(belonging)
  const proven = yield* provenFiles(belonging, found.below)
  if (isEverything) yield* Effect.forEach(proven, to.remove, { discard: true })
  const { below, strays } = isEverything && proven.length > 0 ? yield* findStrays(belonging) : found
  if (strays.length === 0) yield* to.remove(straysFile)
  else yield* writeDocument(to, straysFile, Strays, { strays })
  const ours = new Set(proven)
  // A later export of everything removes those of Cardlake.
  const foreign = strays.filter((stray) => !below.every((path) => !belowStray(stray, path) || ours.has(path)))
  return foreign.map((path): StrayLeft => ({
    path,
    reason: `${path} does not belong to the export. ${adviseRemoval(to, path)}`
  }))
})

/** Returns the function that removes a killed export's files of a day; plain files have fixed names and none remain. */
export const daySweeper = Effect.fnUntraced(function* (at: DropAt, keptAs: Format) {
  const services = yield* Effect.context<IcebergSettings>()
  const sweep: SweepDay = (table, gameId, dt) =>
    Effect.gen(function* () {
      const readTable = yield* readTables(at, keptAs)
      if (readTable === null || keptAs.tables === null) return
      const folders = foldersOfDay(`${tableName(table)}/${keptAs.tables.dayFolder(gameId, dt)}`)
      yield* sweepLeftovers(at, { folders, readTable, table })
    }).pipe(Effect.scoped, Effect.provideContext(services))
  return sweep
})
