import { Effect, Schema } from "effect"
import { shellWord } from "../feed/contract/shellWord.ts"
import { privateFolder } from "../store/home/disk.ts"
import { scratchSession } from "../store/lake/duckdb/Lake.ts"
import { ofDestination, type Destination, type DestinationFailed } from "./destination/Destination.ts"
import { openDestination } from "./destination/openDestination.ts"
import {
  damaged,
  type DropDamaged,
  DropState,
  readDocument,
  stateFile,
  Strays,
  straysFile,
  withTables,
  writeDocument
} from "./drop/Drop.ts"
import { readDrop, readTables, statesOf } from "./readDrop.ts"
import { belowStray, findStrays, provenFiles, removalOf, type Belonging } from "./strays.ts"
import { type DropFault, type Marked, verifyFiles } from "./verify/verifyFiles.ts"
import { verifyTables } from "./verify/verifyTables.ts"

/** What was read back. */
export interface VerifiedDrop {
  readonly to: string
  readonly partitions: number
  readonly rows: number
  readonly bytes: number
  readonly faults: ReadonlyArray<DropFault>
}

/** No drop is there. */
export class NoDrop extends Schema.TaggedError<NoDrop>()("NoDrop", { address: Schema.String }) {
  override get message() {
    return `There is no drop in ${this.address}. Write one with: cardlake export --to ${shellWord(this.address)}`
  }
}

/** A game whose state is gone. */
const lostState = (gameId: string): DropFault => ({
  partition: stateFile(gameId),
  what: "it is gone, so which nights of the game are in the drop is not known"
})

/** Writes a note for the next export; if that cannot be written, it is a fault of its own. */
const noted = <R>(path: string, note: Effect.Effect<void, DestinationFailed | DropDamaged, R>) => {
  const unwritten = ({ message }: Error) => {
    const what = `the next export does not know of this, because it cannot be written: ${message}`
    return Effect.succeed<ReadonlyArray<DropFault>>([{ partition: path, what }])
  }
  return note.pipe(
    Effect.as<ReadonlyArray<DropFault>>([]),
    Effect.catchTags({ DestinationFailed: unwritten, DropDamaged: unwritten })
  )
}

/** Notes in a game's state what the next export is to write again. What an export has changed since stays as it is. */
const mark = Effect.fnUntraced(function* (
  to: Destination,
  gameId: string,
  read: DropState,
  own: ReadonlyArray<Marked>
) {
  const now = (yield* readDocument(to, stateFile(gameId), DropState)) ?? read
  const marked = own
    .filter(({ dt, table }) => now.days[dt]?.tables[table] === read.days[dt]?.tables[table])
    .reduce((before, { dt, table }) => withTables(before, dt, { [table]: damaged }), now)
  if (marked !== now) yield* writeDocument(to, stateFile(gameId), DropState, marked)
})

/** Names what does not belong to a drop, and how it goes, and notes it for the next export. */
const verifyStrays = Effect.fnUntraced(function* (belonging: Belonging) {
  const { to } = belonging
  const { below, strays } = yield* findStrays(belonging)
  const proven = new Set(yield* provenFiles(belonging, below))
  const faults = strays.map((stray): DropFault => {
    const next = below.every((path) => !belowStray(stray, path) || proven.has(path))
      ? "Its own manifest says that Cardlake wrote it: the next export takes it in, or removes it"
      : removalOf(to, stray)
    return { partition: stray, what: `it does not belong to the drop. ${next}` }
  })
  const before = yield* to.read(straysFile)
  const forget = before === null ? Effect.void : to.remove(straysFile)
  const note = strays.length === 0 ? forget : writeDocument(to, straysFile, Strays, { strays })
  return [...faults, ...(yield* noted(straysFile, note))]
})

/**
 * Reads a drop back and holds its states, its manifests and what is there against each other. Marks what is wrong for
 * the next export.
 */
export const verifyDrop = Effect.fn("verifyDrop")(function* (address: string) {
  const to = yield* openDestination(address)
  const found = yield* readDrop(to)
  if (found === null) return yield* new NoDrop({ address })
  const { drop, keptAs } = found
  const session = yield* scratchSession
  // Not in the destination, which may be read-only.
  const stage = yield* privateFolder
  const states = yield* statesOf(to, drop)
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
  const lost = [...states].flatMap(([gameId, state]) => (state === null ? [lostState(gameId)] : []))
  return { to: address, ...read, faults: [...lost, ...faults, ...strays, ...unmarked] } satisfies VerifiedDrop
}, Effect.scoped)
