import { Effect } from "effect"
import { privateFolder } from "../store/home/disk.ts"
import { scratchSession } from "../store/lake/duckdb/Lake.ts"
import { ofDestination, type Destination, type DestinationFailed } from "./destination/Destination.ts"
import {
  type DropState,
  damaged,
  type DropDamaged,
  stateFile,
  Strays,
  straysFile,
  withTables,
  writeDocument,
  readState,
  writeState
} from "./drop/Drop.ts"
import { readDropAt, readTables, readStates } from "./readDrop.ts"
import { belowStray, findStrays, provenFiles, adviseRemoval, type Belonging } from "./strays.ts"
import { type DropFault, type Marked, verifyFiles } from "./verify/verifyFiles.ts"
import { verifyTables } from "./verify/verifyTables.ts"

const missingState = (gameId: string): DropFault => ({
  partition: stateFile(gameId),
  what: "it is missing, so the exported nights of the game are unknown"
})

/** Writes a note for the next export; a failed write is reported as a fault. */
const noted = <R>(path: string, note: Effect.Effect<void, DestinationFailed | DropDamaged, R>) => {
  const unwritten = ({ message }: Error) => {
    const what = `the next export cannot repair this, because the mark for it could not be written: ${message}`
    return Effect.succeed<ReadonlyArray<DropFault>>([{ partition: path, what }])
  }
  return note.pipe(
    Effect.as<ReadonlyArray<DropFault>>([]),
    Effect.catchTags({ DestinationFailed: unwritten, DropDamaged: unwritten })
  )
}

/** Marks partitions in a game's state for the next export. Skips partitions that a run has changed meanwhile. */
const mark = Effect.fnUntraced(function* (
  to: Destination,
  gameId: string,
  read: DropState,
  own: ReadonlyArray<Marked>
) {
  const now = (yield* readState(to, gameId)) ?? read
  const marked = own
    .filter(({ dt, table }) => now.days[dt]?.tables[table] === read.days[dt]?.tables[table])
    .reduce((before, { dt, table }) => withTables(before, dt, { [table]: damaged }), now)
  if (marked !== now) yield* writeState(to, gameId, marked)
})

/** Reports strays and how to remove them, and records them for the next export. */
const verifyStrays = Effect.fnUntraced(function* (belonging: Belonging) {
  const { to } = belonging
  const { below, strays } = yield* findStrays(belonging)
  const proven = new Set(yield* provenFiles(belonging, below))
  const faults = strays.map((stray): DropFault => {
    const next = below.every((path) => !belowStray(stray, path) || proven.has(path))
      ? "Its manifest shows that Cardlake wrote it. The next export adopts or deletes it"
      : adviseRemoval(to, stray)
    return { partition: stray, what: `it does not belong to the export. ${next}` }
  })
  const before = yield* to.read(straysFile)
  const forget = before === null ? Effect.void : to.remove(straysFile)
  const note = strays.length === 0 ? forget : writeDocument(to, straysFile, Strays, { strays })
  return [...faults, ...(yield* noted(straysFile, note))]
})

/** Compares an export's states, manifests and files. Marks faulty partitions for the next run to rewrite. */
export const verifyDrop = Effect.fn("verifyDrop")(function* (address: string) {
  const { drop, keptAs, to } = yield* readDropAt(address)
  const session = yield* scratchSession
  // The stage is outside the destination, which may be read-only.
  const stage = yield* privateFolder
  const states = yield* readStates(to, drop)
  const readTable = yield* readTables({ session, to, drop, stage }, keptAs)
  const belonging = { to, drop, keptAs, states, stage, readTable }
  const { faults, marked, ...read } = yield* (
    readTable === null ? verifyFiles(session, belonging) : verifyTables(session, belonging, readTable)
  ).pipe(Effect.mapError(ofDestination(to, stage)))
  const strays = yield* Effect.mapError(verifyStrays(belonging), ofDestination(to, stage))
  const unmarked: Array<DropFault> = []
  for (const [gameId, state] of states) {
    const own = marked.filter((one) => one.gameId === gameId)
    if (state !== null && own.length > 0)
      unmarked.push(...(yield* noted(stateFile(gameId), mark(to, gameId, state, own))))
  }
  const missing = [...states].flatMap(([gameId, state]) => (state === null ? [missingState(gameId)] : []))
  return { to: address, ...read, faults: [...missing, ...faults, ...strays, ...unmarked] }
}, Effect.scoped)

export type VerifiedDrop = Effect.Success<ReturnType<typeof verifyDrop>>
