import { Effect, Schema } from "effect"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { openDestination } from "../destination/openDestination.ts"
import {
  allGames,
  damaged,
  DropState,
  hasTable,
  ownersOf,
  partitionFolder,
  type PartitionManifest,
  readDocument,
  readManifest,
  unfinished,
  stateFile
} from "../drop/Drop.ts"
import { exportTables, type ExportTable } from "../drop/exportTables.ts"
import { readDrop } from "../readDrop.ts"
import { NoDrop } from "../verifyDrop.ts"
import type { LoadedFile, LoadPlan } from "./LoadPlan.ts"
import { planLoad, type Asked } from "./planLoad.ts"

/** Tables that engines read as they are. */
export class NothingToLoad extends Schema.TaggedError<NothingToLoad>()("NothingToLoad", {
  address: Schema.String,
  format: Schema.String
}) {
  override get message() {
    return `${this.address} is kept as ${this.format} tables: engines read them as they are, without a script. To load files, export with --format files to another destination`
  }
}

/** A partition or a state is not what Cardlake wrote: its rows must not get into a warehouse. */
export class NotFitToLoad extends Schema.TaggedError<NotFitToLoad>()("NotFitToLoad", {
  address: Schema.String,
  what: Schema.String
}) {
  override get message() {
    const to = `cardlake export --to ${shellWord(this.address)}`
    return `${this.address}/${this.what} is damaged or gone, so no script was printed. Repair the drop with: ${to} --verify; then with: ${to}`
  }
}

/** The drop at an address, if it is one of files. */
const openDrop = Effect.fnUntraced(function* (address: string) {
  const to = yield* openDestination(address)
  const found = yield* readDrop(to)
  if (found === null) return yield* new NoDrop({ address })
  const { drop, keptAs } = found
  if (keptAs.tables !== null) return yield* new NothingToLoad({ address, format: keptAs.name })
  const games = yield* Effect.forEach(yield* ownersOf(to, drop), (gameId) =>
    Effect.flatMap(readDocument(to, stateFile(gameId), DropState), (state) =>
      state === null
        ? new NotFitToLoad({ address, what: stateFile(gameId) })
        : Effect.succeed([gameId, state.days] as const)
    )
  )
  const there = new Set(games.flatMap(([, days]) => Object.values(days).flatMap(({ tables }) => Object.keys(tables))))
  const tables = exportTables(drop.decimals).filter(({ name }) => there.has(name))
  return { to, games, tables }
})

/** The tables that a drop has. */
export const tablesInDrop = (address: string) =>
  openDrop(address).pipe(
    Effect.map(({ tables }) => tables),
    Effect.scoped
  )

/** The folder that a manifest is for. */
const placeOf = ({ dt, game, table, version }: PartitionManifest) => partitionFolder(table, version, game, dt)

/** Manifests that are read at the same time. */
const atOnce = 16

/** What a script is to do with the tables of the drop at an address. */
export const dropLoads = Effect.fnUntraced(function* (address: string, asked: Asked) {
  const { games, tables, to } = yield* openDrop(address)
  const filesOf = Effect.fnUntraced(function* (table: ExportTable) {
    const there = games.flatMap(([game, days]) =>
      Object.entries(days)
        .map(([dt, day]) => ({ game, dt, madeFrom: day.tables[table.name] }))
        .filter(({ madeFrom }) => madeFrom !== undefined && hasTable(madeFrom))
        .sort((a, b) => (a.dt < b.dt ? -1 : 1))
    )
    const found = yield* Effect.forEach(
      there,
      Effect.fnUntraced(function* ({ dt, game, madeFrom }) {
        const partition = partitionFolder(table.name, table.version, game, dt)
        const manifest = madeFrom === damaged ? damaged : yield* readManifest(to, partition)
        // An export is at work on a new day, or died.
        if (manifest === null && madeFrom === unfinished) return []
        if (manifest === null || manifest === damaged || placeOf(manifest) !== partition) {
          return yield* new NotFitToLoad({ address, what: partition })
        }
        const { bytes, rows, sha256 } = manifest
        return [{ game, dt, rows, bytes, sha256 } satisfies LoadedFile]
      }),
      { concurrency: atOnce }
    )
    return found.flat()
  })
  const loads = yield* Effect.forEach(tables, (table) => {
    const owners = games.map(([game]) => game).filter((game) => (game === allGames) === (table.scope === "all"))
    return Effect.map(filesOf(table), (files) => planLoad(table, owners, files, asked))
  })
  return { location: to.root, loads } satisfies LoadPlan
}, Effect.scoped)
