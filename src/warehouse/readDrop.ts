import { Effect } from "effect"
import { Fault } from "../feed/contract/Fault.ts"
import { shellWord } from "../feed/contract/shellWord.ts"
import type { Destination } from "./destination/Destination.ts"
import { openDestination } from "./destination/openDestination.ts"
import {
  Drop,
  DropDamaged,
  dropFile,
  readDocument,
  DropState,
  listOwners,
  stateFile,
  type DropAt
} from "./drop/Drop.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { type Format, formats } from "./formats.ts"

export interface KeptDrop {
  readonly drop: Drop
  readonly keptAs: Format
}

/** Reads the export at a destination with its format; null = there is none. */
export const readDrop = Effect.fnUntraced(function* (to: Destination) {
  const drop = yield* readDocument(to, dropFile, Drop)
  if (drop === null) return null
  const keptAs =
    drop.tableFormat === undefined
      ? filesFormat
      : formats.find(({ name, tables }) => tables !== null && name === drop.tableFormat)
  if (keptAs === undefined) return yield* new DropDamaged({ path: `${to.address}/${dropFile}` })
  return { drop, keptAs } satisfies KeptDrop
})

/** Opens the export at an address. Fails if there is none. */
export const readDropAt = Effect.fnUntraced(function* (address: string) {
  const to = yield* openDestination(address)
  const found = yield* readDrop(to)
  const next = `Write one with: cardlake export --to ${shellWord(address)}`
  return found === null ? yield* new Fault("NoDrop", `There is no export in ${address}. ${next}`) : { ...found, to }
})

/** Opens a reader of the tables' metadata; null for plain files. */
export const readTables = (at: DropAt, keptAs: Format) =>
  keptAs.tables === null ? Effect.succeed(null) : keptAs.tables.read(at)

/** Reads the states of an export by game, and of rows that belong to none; null = the state is missing. */
export const readStates = Effect.fnUntraced(function* (to: Destination, drop: Drop) {
  const states = yield* Effect.forEach(yield* listOwners(to, drop), (gameId) =>
    Effect.map(readDocument(to, stateFile(gameId), DropState), (state) => [gameId, state] as const)
  )
  return new Map(states)
})
