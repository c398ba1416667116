import { Effect } from "effect"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { tellWork } from "../../store/home/WorkProgress.ts"
import { hasTable, stateFile, tableName } from "../drop/Drop.ts"
import { exportTables, type ExportTable } from "../drop/exportTables.ts"
import { joinedDays, type JoinedDay } from "../drop/putJoined.ts"
import { fileFault, sumInName, type LiveFile, type ReadTable, type TableReader } from "../drop/readBack.ts"
import type { Belonging } from "../strays.ts"
import type { DropFault, Marked, ReadBack } from "./verifyFiles.ts"

/** A file, or a day of a file of several days. */
interface DayFile extends JoinedDay {
  readonly path: string
}

interface Place {
  readonly gameId: string
  readonly dt: string
  readonly files: ReadonlyArray<DayFile>
}

/** A verified file of a table: its days (none if it is damaged) and its fault (null = none). */
interface ReadFile {
  readonly file: LiveFile
  readonly days: ReadonlyArray<JoinedDay>
  readonly fault: string | null
}

const partitionKey = (gameId: string, dt: string) => `${dt} ${gameId}`

/** Returns every place that a table or the state names. */
const listPlaces = (
  table: ExportTable,
  live: ReadonlyArray<ReadFile>,
  absent: ReadTable["absent"],
  states: Belonging["states"]
): ReadonlyArray<Place> => {
  const places = new Map<string, Place>()
  const add = (gameId: string, dt: string, files: ReadonlyArray<DayFile>) => {
    const before = places.get(partitionKey(gameId, dt))?.files ?? []
    places.set(partitionKey(gameId, dt), { gameId, dt, files: [...before, ...files] })
  }
  for (const { days, file } of live) for (const day of days) add(file.game, day.dt, [{ path: file.path, ...day }])
  for (const [gameId, dt] of absent) add(gameId, dt, [])
  for (const [gameId, state] of states) {
    for (const [dt, day] of Object.entries(state?.days ?? {})) {
      if (day.tables[table.name] !== undefined) add(gameId, dt, [])
    }
  }
  return [...places.values()]
}

/** Returns the fault of a place by the table and the state; null = none. */
const placeFault = (
  table: ExportTable,
  { dt, files, gameId }: Place,
  states: Belonging["states"],
  isMissing: boolean
) => {
  const state = states.get(gameId)
  if (state === null) return null
  const day = state?.days[dt]
  const madeFrom = day?.tables[table.name]
  if (madeFrom === undefined) {
    if (files.length === 0) return null
    const next = `delete from ${tableName(table)} where game_id = '${gameId}' and snapshot_date = '${dt}'`
    return `the table has it, but the export's state file does not. If the next export does not adopt it, delete it with the program that wrote it: ${next}`
  }
  if (!hasTable(madeFrom)) return null
  const noted = day?.sha256?.[table.name]
  if (files.length === 0)
    return isMissing || (noted !== undefined && noted !== "") ? "its rows are no longer in the table" : null
  if (noted === "") return `it has rows, but none according to ${stateFile(gameId)}`
  const sums = files.map(({ sha256 }) => sha256)
  const isKnown = noted === undefined || sums.includes(null) || (sums.length === 1 && sums[0] === noted)
  return isKnown ? null : `its rows differ from ${stateFile(gameId)}: they are from an earlier or later export`
}

/** Verifies a file of a table. A file of several days lists them, if its content matches its name. */
const readFile = Effect.fnUntraced(function* (
  session: Session,
  { stage, to }: Pick<Belonging, "stage" | "to">,
  file: LiveFile
) {
  const fault = yield* fileFault(to, stage, file)
  if (file.dt !== null) {
    const { dt, path, rows } = file
    return { file, days: [{ dt, sha256: sumInName(path), rows }], fault } satisfies ReadFile
  }
  const local = fault === null ? yield* to.fetch(file.path, stage) : null
  if (local === null) return { file, days: [], fault: fault ?? "its file is missing" } satisfies ReadFile
  const days = yield* joinedDays(session, local)
  const isWhole = days.reduce((sum, { rows }) => sum + rows, 0) === file.rows
  return { file, days, fault: isWhole ? null : `its days do not add up to ${file.rows} rows` } satisfies ReadFile
})

/** Verifies an export's tables: compares tables, files and state. */
export const verifyTables = Effect.fnUntraced(function* (
  session: Session,
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
    const absent = new Set(found.absent.map(([gameId, dt]) => partitionKey(gameId, dt)))
    const files = yield* Effect.forEach(found.live, (file) => readFile(session, { to, stage }, file))
    for (const { fault, file } of files) {
      read.rows += file.rows
      read.bytes += file.bytes
      if (fault !== null && file.dt === null)
        faults.push({ partition: `${table.name}, game=${file.game}`, what: `${fault}: ${file.path}` })
    }
    const ofFiles = new Map(files.map(({ fault, file }) => [file.path, file.dt === null ? null : fault]))
    const places = listPlaces(table, files, found.absent, states)
    for (const [at, place] of places.entries()) {
      const { dt, files: dayFiles, gameId } = place
      yield* tellWork(gameId, (index + at / places.length) / tables.length)
      const wrong = [
        ...dayFiles.map(({ path }) => ofFiles.get(path) ?? null).filter((fault) => fault !== null),
        ...[placeFault(table, place, states, absent.has(partitionKey(gameId, dt)))].filter((fault) => fault !== null)
      ]
      for (const what of wrong) faults.push({ partition: `${table.name}, game=${gameId}, dt=${dt}`, what })
      const madeFrom = states.get(gameId)?.days[dt]?.tables[table.name]
      if (wrong.length > 0 && madeFrom !== undefined && hasTable(madeFrom))
        marked.push({ gameId, dt, table: table.name })
      read.partitions += dayFiles.length
    }
  }
  return { ...read, faults, marked } satisfies ReadBack
})
