import { stat } from "node:fs/promises"
import { Effect } from "effect"
import { FileDamaged } from "./FileDamaged.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { fileSha256, whereNothingIs } from "./disk.ts"
import { obtained, StandIns } from "../../feed/reading/StandIns.ts"

/** A file with what was recorded when it was written: its size, and the sha256 that it may have. */
export interface FileOnRecord {
  readonly file: string
  /** Null = not on record. */
  readonly sizeBytes: number | null
  /** More than one while a file is being replaced. */
  readonly sha256: ReadonlyArray<string>
}

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
