import { stat, readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { fileSha256, whereNothingIs, isThere, replace, syncToDisk, writeWhole } from "./disk.ts"
import { obtained, StandIns } from "../../feed/reading/StandIns.ts"
import { basename, join } from "node:path"

/** A file of the home is not what was written there: gone, cut, changed, or replaced by something else. */
export class FileDamaged extends Schema.TaggedError<FileDamaged>()("FileDamaged", {
  file: Schema.String,
  /** Continues a sentence: `it is gone`. */
  what: Schema.String,
  /** What helps, if it is not a repair; begins a sentence. */
  next: Schema.optional(Schema.String)
}) {
  override get message() {
    const repair = this.next === undefined ? ", or repair what can be repaired with: cardlake doctor --repair" : ""
    return `${this.afterRepair}${repair}`
  }

  /** The message without the advice to repair, for those who have done so. */
  get afterRepair() {
    return `${this.file} is damaged: ${this.what}. ${this.next ?? "Restore it from a backup"}`
  }
}

/** A file with what was recorded when it was written: its size, and the sha256 that it may have. */
export interface FileOnRecord {
  readonly file: string
  /** Null = not on record. */
  readonly sizeBytes: number | null
  /** More than one while a file is being replaced. */
  readonly sha256: ReadonlyArray<string>
}

/** The Parquet files of tables in a folder, as its document has them on record. */
export const filesOnRecord = (
  folder: string,
  tables: Readonly<Record<string, { readonly sizeBytes: number; readonly sha256: string }>>
): ReadonlyArray<FileOnRecord> =>
  Object.entries(tables).map(([table, { sha256, sizeBytes }]) => ({
    file: join(folder, `${table}.parquet`),
    sizeBytes,
    sha256: [sha256]
  }))

/** Fails with {@link FileDamaged} if a file is gone, not a file, or of another size. Does not read it. */
export const verifySize = Effect.fnUntraced(function* ({ file, sizeBytes }: FileOnRecord) {
  const found = yield* lakeStep(`Look at ${file}`, () => stat(file).catch(whereNothingIs))
  if (found === null) return yield* new FileDamaged({ file, what: "it is gone" })
  if (!found.isFile()) return yield* new FileDamaged({ file, what: "something that is not a file is in its place" })
  const size = (yield* StandIns)?.sizeOf(file) ?? found.size
  if (sizeBytes !== null && size !== sizeBytes) {
    return yield* new FileDamaged({ file, what: `it has ${size} bytes instead of ${sizeBytes}` })
  }
})

/** Fails with {@link FileDamaged} if a file does not have the bytes that were written. */
export const verifyFile = Effect.fnUntraced(function* (one: FileOnRecord) {
  yield* obtained(one.file)
  yield* verifySize(one)
  if (!one.sha256.includes(yield* fileSha256(one.file))) {
    return yield* new FileDamaged({ file: one.file, what: "its sha256 has changed since it was written" })
  }
})

/** The same, but of a file that is elsewhere, what is on record there is compared: it is not read here. */
export const verifyKept = Effect.fnUntraced(function* (one: FileOnRecord) {
  const sum = (yield* StandIns)?.sumOf(one.file) ?? null
  if (sum === null || !one.sha256.includes(sum)) yield* verifyFile(one)
})

/** Where a file's sums are, in the format of `sha256sum`. */
export const sumsFile = (file: string): string => `${file}.sha256`

/** The sums beside a file; none if nothing is there. */
export const sumsOf = Effect.fnUntraced(function* (file: string) {
  const sums = sumsFile(file)
  yield* obtained(sums)
  const text = yield* lakeStep(`Read ${sums}`, () => readFile(sums, "utf8").catch(whereNothingIs))
  const found = [...(text ?? "").matchAll(/^[0-9a-f]{64}/gm)].map(([sum]) => sum)
  if (text !== null && found.length === 0) return yield* new FileDamaged({ file: sums, what: "it holds no sum" })
  return found
})

export const writeSums = (file: string, sums: ReadonlyArray<string>) =>
  writeWhole(sumsFile(file), sums.map((sum) => `${sum}  ${basename(file)}\n`).join(""))

/**
 * Replaces a file of the home and the sum beside it, `<file>.sha256`. In between, both the old and the new sum
 * are there, so that the file never counts as damaged.
 */
export const replaceSummed = Effect.fn("replaceSummed")(function* (from: string, file: string) {
  yield* syncToDisk(from)
  const sum = yield* fileSha256(from)
  if (isThere(file)) {
    const sums = yield* sumsOf(file)
    yield* writeSums(file, [...(sums.length > 0 ? sums : [yield* fileSha256(file)]), sum])
  }
  yield* replace(from, file)
  yield* writeSums(file, [sum])
})

/** Fails with `FileDamaged` if a file matches none of the sums beside it. A file without sums passes. */
export const verifySummed = Effect.fnUntraced(function* (file: string) {
  const sha256 = yield* sumsOf(file)
  if (sha256.length > 0) yield* verifyFile({ file, sizeBytes: null, sha256 })
})
