import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { FileDamaged } from "./FileDamaged.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { obtained } from "../../feed/reading/StandIns.ts"
import { verifyFile } from "./verifyFile.ts"
import { fileSha256, isThere, replace, syncToDisk, whereNothingIs, writeWhole } from "./disk.ts"

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
