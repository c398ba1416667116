import { Effect } from "effect"
import { Fault } from "../feed/contract/Fault.ts"
import { shellWord } from "../feed/contract/shellWord.ts"
import { type Destination, DestinationFailed } from "./destination/Destination.ts"
import { openDestination } from "./destination/openDestination.ts"
import { Drop, DropDamaged, dropFile, readDocument, listOwners, type DropAt, readState } from "./drop/Drop.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { type Format, formats, type FormatName } from "./formats.ts"
import { Disk } from "../feed/disk/Disk.ts"
import { resolve } from "node:path"
import { isBucket } from "../store/home/bucket/homeAddress.ts"
import type { Decimals } from "./drop/exportTables.ts"

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
  keptAs.tables === null ? Effect.succeed(null) : Effect.map(keptAs.tables.open(at), ({ read }) => read)

/** Reads the states of an export by game, and of rows that belong to none; null = the state is missing. */
export const readStates = Effect.fnUntraced(function* (to: Destination, drop: Drop) {
  const states = yield* Effect.forEach(yield* listOwners(to, drop), (gameId) =>
    Effect.map(readState(to, gameId), (state) => [gameId, state] as const)
  )
  return new Map(states)
})

/** The requested format; null = that of the existing export; for a new export, exact and plain files. */
export interface DropSettings {
  readonly decimals: Decimals | null
  readonly format: FormatName | null
}

/** Fails if the prefix is a home. Checks nothing else, because a prefix of a bucket is not listed. */
const refuseHomes = Effect.fnUntraced(function* (to: string) {
  const { outsideBucketHomes } = yield* Effect.promise(() => import("../store/home/bucket/homeAround.ts"))
  yield* Effect.catchTag(
    outsideBucketHomes(to),
    "BucketFailed",
    ({ reason, step }) => new DestinationFailed({ step, reason, next: "Export again" })
  )
})

/** Fails if the folder is used for something else. */
const refuseFullFolder = Effect.fnUntraced(function* (to: string) {
  const disk = yield* Disk
  if (!disk.exists(to)) return
  if (disk.look(to)?.kind !== "folder") {
    return yield* new Fault("ExportRefused", `${resolve(to)} is not a folder. Export to an empty folder`)
  }
  const others = disk.namesNow(to).filter((name) => name !== "_staging")
  if (others.length === 0) return
  const what = `${resolve(to)} contains other files (${others.slice(0, 3).join(", ")}) but no export`
  return yield* new Fault("ExportRefused", `${what}. Export to an empty folder`)
})

/** Opens the export at a destination, or begins a new one if the destination is empty. */
export const dropAt = Effect.fnUntraced(function* (to: Destination, { decimals, format }: DropSettings) {
  const found = yield* readDrop(to)
  if (found === null) {
    yield* isBucket(to.address) ? refuseHomes(to.address) : refuseFullFolder(to.address)
    const keptAs = formats.find(({ name }) => name === format) ?? filesFormat
    const drop: Drop = {
      format: "cardlake drop",
      layout: 1,
      decimals: decimals ?? "exact",
      ...(keptAs.tables === null ? {} : { tableFormat: keptAs.name }),
      ...(yield* keptAs.catalogue ?? Effect.succeed({})),
      games: []
    }
    return { drop, keptAs } satisfies KeptDrop
  }
  const has = found.keptAs.name
  if (format !== null && format !== has) {
    const reason = `${to.address} was created with --format ${has}, which cannot change. Export to another destination`
    return yield* new Fault("ExportRefused", reason)
  }
  if (decimals === null || decimals === found.drop.decimals) return found
  const what = `${to.address} has decimals as ${found.drop.decimals === "text" ? "text" : "DECIMAL"}`
  return yield* new Fault("ExportRefused", `${what}, which cannot change. Export to another destination`)
})

/** Checks the requested names; empty: all. */
export const chosen = Effect.fnUntraced(function* (
  kind: "game" | "table",
  wanted: ReadonlyArray<string>,
  known: ReadonlyArray<string>
) {
  const unknown = wanted.filter((name) => !known.includes(name))
  const next =
    known.length > 0
      ? `Choose from: ${known.join(", ")}`
      : "No game is published yet. Publish one with: cardlake nightly"
  if (unknown.length > 0) return yield* new Fault("NameUnknown", `Unknown ${kind}: ${unknown.join(", ")}. ${next}`, 2)
  return wanted.length === 0 ? known : known.filter((name) => wanted.includes(name))
})
