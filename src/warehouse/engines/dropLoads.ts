import { Effect } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import {
  allGames,
  damaged,
  hasTable,
  manifestFolder,
  partitionFolder,
  readManifest,
  unfinished,
  stateFile
} from "../drop/Drop.ts"
import { exportTables, type ExportTable } from "../drop/exportTables.ts"
import { readDropAt, readStates } from "../readDrop.ts"
import type { LoadedFile, LoadPlan } from "./LoadPlan.ts"
import { planLoad, type LoadRequest } from "./planLoad.ts"

/** A partition or a state is not as Cardlake wrote it, so its rows must not be loaded. */
const notFitToLoad = (address: string, what: string) => {
  const to = `cardlake export --to ${shellWord(address)}`
  return new Fault(
    "NotFitToLoad",
    `${address}/${what} is damaged or missing, so no script was printed. Check the export with: ${to} --verify; then repair it with: ${to}`
  )
}

/** Opens the export at an address if it has plain files. */
const openDrop = Effect.fnUntraced(function* (address: string) {
  const { drop, keptAs, to } = yield* readDropAt(address)
  if (keptAs.tables !== null)
    return yield* new Fault(
      "NothingToLoad",
      `${address} has ${keptAs.name} tables, which engines read without a load script. To load files, export to another destination with --format files`
    )
  const games = yield* Effect.forEach(yield* readStates(to, drop), ([gameId, state]) =>
    state === null ? notFitToLoad(address, stateFile(gameId)) : Effect.succeed([gameId, state.days] as const)
  )
  const there = new Set(games.flatMap(([, days]) => Object.values(days).flatMap(({ tables }) => Object.keys(tables))))
  const tables = exportTables(drop.decimals).filter(({ name }) => there.has(name))
  return { to, games, tables }
})

export const tablesInDrop = (address: string) =>
  openDrop(address).pipe(
    Effect.map(({ tables }) => tables),
    Effect.scoped
  )

/** The number of manifests that are read concurrently. */
const maxConcurrent = 16

export const dropLoads = Effect.fnUntraced(function* (address: string, request: LoadRequest) {
  const { games, tables, to } = yield* openDrop(address)
  const listFiles = Effect.fnUntraced(function* (table: ExportTable) {
    const there = games.flatMap(([game, days]) =>
      Object.entries(days)
        .map(([dt, day]) => ({ game, dt, madeFrom: day.tables[table.name] }))
        .filter(({ madeFrom }) => madeFrom !== undefined && hasTable(madeFrom))
        .sort((a, b) => (a.dt < b.dt ? -1 : 1))
    )
    const found = yield* Effect.forEach(
      there,
      Effect.fnUntraced(function* ({ dt, game, madeFrom }) {
        const partition = partitionFolder(table, game, dt)
        const manifest = madeFrom === damaged ? damaged : yield* readManifest(to, partition)
        // An export is writing a new day, or was killed.
        if (manifest === null && madeFrom === unfinished) return []
        if (manifest === null || manifest === damaged || manifestFolder(manifest) !== partition) {
          return yield* notFitToLoad(address, partition)
        }
        const { bytes, rows, sha256 } = manifest
        return [{ game, dt, rows, bytes, sha256 } satisfies LoadedFile]
      }),
      { concurrency: maxConcurrent }
    )
    return found.flat()
  })
  const loads = yield* Effect.forEach(tables, (table) => {
    const owners = games.map(([game]) => game).filter((game) => (game === allGames) === (table.scope === "all"))
    return Effect.map(listFiles(table), (files) => planLoad(table, owners, files, request))
  })
  return { location: to.root, loads } satisfies LoadPlan
}, Effect.scoped)
