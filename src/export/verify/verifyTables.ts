import { Effect } from "effect"
import { tellWork } from "../../home/WorkProgress.ts"
import { hasTable, stateFile, tableName } from "../drop/Drop.ts"
import { exportTables, type ExportTable } from "../drop/exportTables.ts"
import { fileFault, sumInName, type LiveFile, type ReadTable, type TableReader } from "../drop/readBack.ts"
import type { Belonging } from "../strays.ts"
import type { DropFault, Marked, ReadBack } from "./DropFault.ts"

/** A table's rows of a game's day. */
interface Place {
  readonly gameId: string
  readonly dt: string
  readonly files: ReadonlyArray<LiveFile>
}

const keyOf = (gameId: string, dt: string) => `${dt} ${gameId}`

/** Every place that a table or the state names. */
const placesOf = (table: ExportTable, { live, lost }: ReadTable, states: Belonging["states"]): ReadonlyArray<Place> => {
  const places = new Map<string, Place>()
  const add = (gameId: string, dt: string, files: ReadonlyArray<LiveFile>) => {
    const before = places.get(keyOf(gameId, dt))?.files ?? []
    places.set(keyOf(gameId, dt), { gameId, dt, files: [...before, ...files] })
  }
  for (const file of live) add(file.game, file.dt, [file])
  for (const [gameId, dt] of lost) add(gameId, dt, [])
  for (const [gameId, state] of states) {
    for (const [dt, day] of Object.entries(state?.days ?? {})) {
      if (day.tables[table.name] !== undefined) add(gameId, dt, [])
    }
  }
  return [...places.values()]
}

/** What is wrong with a place by the table and the state; null = nothing. */
const placeFault = (table: ExportTable, { dt, files, gameId }: Place, states: Belonging["states"], isLost: boolean) => {
  const state = states.get(gameId)
  if (state === null) return null
  const day = state?.days[dt]
  const madeFrom = day?.tables[table.name]
  if (madeFrom === undefined) {
    if (files.length === 0) return null
    const next = `delete from ${tableName(table)} where game_id = '${gameId}' and snapshot_date = '${dt}'`
    return `the table has it, but not the drop's state. If the next export does not take it in, remove it with the program that put it there: ${next}`
  }
  if (!hasTable(madeFrom)) return null
  const noted = day?.sha256?.[table.name]
  if (files.length === 0)
    return isLost || (noted !== undefined && noted !== "") ? "its rows are no longer in the table" : null
  if (noted === "") return `it has rows, but by ${stateFile(gameId)} it has none`
  const sums = files.map(({ path }) => sumInName(path))
  const isKnown = noted === undefined || sums.includes(null) || (sums.length === 1 && sums[0] === noted)
  return isKnown
    ? null
    : `its rows are not those that ${stateFile(gameId)} names: they are of an earlier or a later export`
}

/** Reads a drop's tables back, and holds tables, files and state against each other. */
export const verifyTables = Effect.fnUntraced(function* (
  { drop, stage, states, to }: Belonging,
  readTable: TableReader
) {
  const faults: Array<DropFault> = []
  const marked: Array<Marked> = []
  const read = { partitions: 0, rows: 0, bytes: 0 }
  const tables = exportTables(drop.decimals)
  for (const [index, table] of tables.entries()) {
    const found = yield* readTable(table).pipe(
      Effect.catchTag("TableUnfit", ({ message }) => {
        faults.push({ partition: table.name, what: message })
        return Effect.succeed(null)
      })
    )
    if (found === null) continue
    const lost = new Set(found.lost.map(([gameId, dt]) => keyOf(gameId, dt)))
    const places = placesOf(table, found, states)
    for (const [at, place] of places.entries()) {
      const { dt, files, gameId } = place
      yield* tellWork(gameId, (index + at / places.length) / tables.length)
      const ofFiles = yield* Effect.forEach(files, (file) => fileFault(to, stage, file))
      const wrong = [
        ...ofFiles.filter((fault) => fault !== null),
        ...[placeFault(table, place, states, lost.has(keyOf(gameId, dt)))].filter((fault) => fault !== null)
      ]
      for (const what of wrong) faults.push({ partition: `${table.name}, game=${gameId}, dt=${dt}`, what })
      const madeFrom = states.get(gameId)?.days[dt]?.tables[table.name]
      if (wrong.length > 0 && madeFrom !== undefined && hasTable(madeFrom))
        marked.push({ gameId, dt, table: table.name })
      read.partitions += files.length
      read.rows += files.reduce((sum, { rows }) => sum + rows, 0)
      read.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }
  return { ...read, faults, marked } satisfies ReadBack
})
