import { existsSync } from "node:fs"
import { open, readFile, rename } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "./LakeError.ts"
import { verifyFile, whereNothingIs } from "./verifyFile.ts"
import { fileSha256, replace, syncToDisk } from "./writeFile.ts"

/** The sums that stand beside a file, in the words of `sha256sum`; none where nothing is beside it. */
const sumsOf = (file: string) =>
  Effect.map(
    lakeStep(`Read ${file}.sha256`, () => readFile(`${file}.sha256`, "utf8").catch(whereNothingIs)),
    (text) => [...(text ?? "").matchAll(/^[0-9a-f]{64}/gm)].map(([sum]) => sum)
  )

const writeSums = (file: string, sums: ReadonlyArray<string>) =>
  lakeStep(`Write ${file}.sha256`, async () => {
    const handle = await open(`${file}.sha256.part`, "w")
    try {
      await handle.writeFile(sums.map((sum) => `${sum}  ${basename(file)}\n`).join(""))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(`${file}.sha256.part`, `${file}.sha256`)
  })

/**
 * Puts a file of the home in the place of an earlier one, with its sum beside it: `<file>.sha256`. Both sums stand there meanwhile,
 * so that the file is never taken for damaged.
 */
export const replaceSummed = Effect.fn("replaceSummed")(function* (from: string, file: string) {
  yield* syncToDisk(from)
  const sum = yield* fileSha256(from)
  if (existsSync(file)) {
    const sums = yield* sumsOf(file)
    yield* writeSums(file, [...(sums.length > 0 ? sums : [yield* fileSha256(file)]), sum])
  }
  yield* replace(from, file)
  yield* writeSums(file, [sum])
})

/** Fails with `FileDamaged` where a file does not have a sum that stands beside it. One of before sums were kept passes. */
export const verifySummed = Effect.fnUntraced(function* (file: string) {
  const sha256 = yield* sumsOf(file)
  if (sha256.length > 0) yield* verifyFile({ file, sizeBytes: null, sha256 })
})
