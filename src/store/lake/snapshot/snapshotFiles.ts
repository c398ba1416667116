import { basename, join } from "node:path"
import { Effect, Schema } from "effect"
import type { SnapshotFolder } from "../../home/Manifest.ts"
import { type PartFolder, listParts } from "../../home/parts.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { verifyFile, verifyKept, type FileOnRecord, FileDamaged, filesOnRecord } from "../../home/verifyFile.ts"
import { isThere } from "../../home/disk.ts"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Home } from "../../home/Home.ts"
import { readJson } from "../../home/jsonFile.ts"

/** Returns a snapshot's files as recorded: its own, and the month's file for moved prices. */
export const snapshotFiles = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder) {
  const { gameId, snapshot, tables } = manifest
  const own = filesOnRecord(folder, tables)
  const prices = new Set(priceTables.map(({ name }) => `${name}.parquet`))
  const isMoved = ({ file }: FileOnRecord) => prices.has(basename(file)) && !isThere(file)
  const parts = own.some(isMoved) ? yield* listParts(gameId) : []
  const month = parts.find(({ part }) => part.nights.some((night) => night.snapshot === snapshot))
  const inMonth = month === undefined ? [] : partFiles(month)
  return own.map((one) =>
    isMoved(one) ? (inMonth.find(({ file }) => basename(file) === basename(one.file)) ?? one) : one
  )
})

export const partFiles = ({ folder, part }: PartFolder) => filesOnRecord(folder, part.tables)

/** True if two snapshots have the same content of a table, with the same columns. */
export const isSameTable = (a: SnapshotFolder, b: SnapshotFolder, table: string): boolean =>
  a.manifest.contractVersion === b.manifest.contractVersion &&
  a.manifest.tables[table] !== undefined &&
  a.manifest.tables[table].sha256 === b.manifest.tables[table]?.sha256

/**
 * Fails with `FileDamaged` if a file with a snapshot's rows does not match its record. Remote files of tables that are
 * read in snapshot `same` are not downloaded.
 */
export const verifySnapshot = Effect.fn("verifySnapshot")(function* (
  snapshot: SnapshotFolder,
  same: SnapshotFolder | null = null
) {
  const verify = (one: FileOnRecord) =>
    same !== null && isSameTable(snapshot, same, basename(one.file, ".parquet")) ? verifyKept(one) : verifyFile(one)
  yield* Effect.forEach(yield* snapshotFiles(snapshot), verify, { concurrency: 4, discard: true })
})

/** Checksums of the files beside `diff.json`. */
const Sums = Schema.Struct({
  gameId: Schema.String,
  to: Schema.String,
  from: SnapshotId,
  files: Schema.Record(Schema.String, Schema.Array(Schema.String))
})

/** Returns the recorded files of a snapshot's changes; empty if it has no predecessor. */
export const changesFiles = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const folder = (yield* Home).changes(gameId, snapshot)
  if (!isThere(folder)) return []
  const file = join(folder, "diff.json")
  const { files, ...of } = yield* readJson(file, Sums)
  if (of.gameId !== gameId || of.to !== snapshot) {
    return yield* new FileDamaged({ file, what: `it counts the changes of ${of.to} of ${of.gameId}` })
  }
  return Object.entries(files).map(([name, sha256]): FileOnRecord => ({
    file: join(folder, name),
    sizeBytes: null,
    sha256
  }))
})

/** Returns the base of a snapshot's changes; null if they are unreadable. */
export const changesFollow = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
  const sums = yield* Effect.orElseSucceed(readJson(file, Sums), () => null)
  return sums?.gameId === gameId && sums.to === snapshot ? sums.from : null
})
