import { Effect, Schema } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { fileSha256, whereNothingIs, isThere, replace, syncToDisk, writeWhole } from "./disk.ts"
import { download, RemoteFiles } from "../../feed/reading/RemoteFiles.ts"
import { basename, join } from "node:path"

/** A file of the home is missing, truncated, modified, or replaced. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** Continues a sentence, e.g. `it is missing`. */
  what: Schema.String,
  /** The next step if a repair does not help; begins a sentence. */
  next: Schema.optional(Schema.String)
}) {
  override get message() {
    const repair = this.next === undefined ? ", or repair what can be repaired with: cardlake doctor --repair" : ""
    return `${this.afterRepair}${repair}`
  }

  /** The message without the advice to repair, for use after a repair. */
  get afterRepair() {
    return `${this.file} is damaged: ${this.what}. ${this.next ?? "Restore it from a backup"}`
  }
}

/** A file with its recorded size and its valid sha256 checksums. */
export interface FileOnRecord {
  readonly file: string
  /** Null if not recorded. */
  readonly sizeBytes: number | null
  /** More than one while a file is being replaced. */
  readonly sha256: ReadonlyArray<string>
}

/** Returns the Parquet files of tables in a folder, with the checksums that its document records. */
export const filesOnRecord = (
  folder: string,
  tables: Readonly<Record<string, { readonly sizeBytes: number; readonly sha256: string }>>
): ReadonlyArray<FileOnRecord> =>
  Object.entries(tables).map(([table, { sha256, sizeBytes }]) => ({
    file: join(folder, `${table}.parquet`),
    sizeBytes,
    sha256: [sha256]
  }))

/** Fails with {@link FileDamaged} if a file is missing, not a regular file, or of another size. Does not read it. */
export const verifySize = Effect.fnUntraced(function* ({ file, sizeBytes }: FileOnRecord) {
  const found = yield* lakeStep(`Check ${file}`, async (disk) => disk.look(file))
  if (found === null) return yield* new FileDamaged({ file, what: "it is missing" })
  if (found.kind !== "file") return yield* new FileDamaged({ file, what: "it is not a file" })
  const size = (yield* RemoteFiles)?.sizeOf(file) ?? found.sizeBytes
  if (sizeBytes !== null && size !== sizeBytes) {
    return yield* new FileDamaged({ file, what: `it has ${size} bytes instead of ${sizeBytes}` })
  }
})

/** Fails with {@link FileDamaged} if a file's content does not match its record. */
export const verifyFile = Effect.fnUntraced(function* (one: FileOnRecord) {
  yield* download(one.file)
  yield* verifySize(one)
  if (!one.sha256.includes(yield* fileSha256(one.file))) {
    return yield* new FileDamaged({ file: one.file, what: "its sha256 has changed since it was written" })
  }
})

/** Verifies a file; for a remote file, compares the remote record without downloading it. */
export const verifyKept = Effect.fnUntraced(function* (one: FileOnRecord) {
  const sum = (yield* RemoteFiles)?.sumOf(one.file) ?? null
  if (sum === null || !one.sha256.includes(sum)) yield* verifyFile(one)
})

/** Returns the path of a file's checksums, in the format of `sha256sum`. */
export const sumsFile = (file: string): string => `${file}.sha256`

/** Returns the checksums beside a file; empty if there are none. */
export const readSums = Effect.fnUntraced(function* (file: string) {
  const sums = sumsFile(file)
  yield* download(sums)
  const text = yield* lakeStep(`Read ${sums}`, (disk) => disk.readText(sums).catch(whereNothingIs))
  const found = [...(text ?? "").matchAll(/^[0-9a-f]{64}/gm)].map(([sum]) => sum)
  if (text !== null && found.length === 0) return yield* new FileDamaged({ file: sums, what: "it has no checksum" })
  return found
})

export const writeSums = (file: string, sums: ReadonlyArray<string>) =>
  writeWhole(sumsFile(file), sums.map((sum) => `${sum}  ${basename(file)}\n`).join(""))

/**
 * Replaces a file and its checksums in `<file>.sha256`. Both the old and the new checksum are listed in between, so
 * that the file never counts as damaged.
 */
export const replaceSummed = Effect.fn("replaceSummed")(function* (from: string, file: string) {
  yield* syncToDisk(from)
  const sum = yield* fileSha256(from)
  if (isThere(file)) {
    const sums = yield* readSums(file)
    yield* writeSums(file, [...(sums.length > 0 ? sums : [yield* fileSha256(file)]), sum])
  }
  yield* replace(from, file)
  yield* writeSums(file, [sum])
})

/** Fails with `FileDamaged` if a file matches none of the checksums beside it. A file without checksums passes. */
export const verifySummed = Effect.fnUntraced(function* (file: string) {
  const sha256 = yield* readSums(file)
  if (sha256.length > 0) yield* verifyFile({ file, sizeBytes: null, sha256 })
})
