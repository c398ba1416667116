import { createHash, hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Schema } from "effect"
import { FileDamaged } from "./FileDamaged.ts"
import { type LakeError, lakeStep } from "../duckdb/LakeError.ts"

/** Flushes a file or folder to the disk: after it, a power cut loses nothing of it. */
export const syncToDisk = (path: string) =>
  lakeStep(`Flush ${path}`, async () => {
    const handle = await open(path, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  })

/** Renames and flushes the folder: the reader sees the old or the new, never half. */
export const replace = (from: string, to: string) =>
  lakeStep(`Rename to ${to}`, async () => {
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
  }).pipe(Effect.andThen(syncToDisk(dirname(to))))

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const sumOf = (document: object): string => hash("sha256", JSON.stringify(document, null, 2))

/** Writes a JSON document whole: temporary file, flush, rename. Its last key, `sha256`, is the sum of the text without it. */
export const writeJson = Effect.fnUntraced(function* <S extends Schema.Encoder<object>>(
  path: string,
  schema: S,
  value: S["Type"]
) {
  const document = yield* Effect.orDie(Schema.encodeEffect(schema)(value))
  const text = JSON.stringify({ ...document, sha256: sumOf(document) }, null, 2)
  yield* lakeStep(`Write ${path}`, async () => {
    await mkdir(dirname(path), { recursive: true })
    const handle = await open(`${path}.part`, "w")
    try {
      await handle.writeFile(`${text}\n`)
      await handle.sync()
    } catch (cause) {
      await rm(`${path}.part`, { force: true })
      throw cause
    } finally {
      await handle.close()
    }
  })
  yield* replace(`${path}.part`, path)
})

/**
 * Reads a JSON document of ours. Fails with {@link FileDamaged} where it is missing, not what its schema says, or not what its sum says;
 * the first documents have no sum.
 */
export const readJson = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(
  path: string,
  schema: S
): Effect.fn.Return<S["Type"], LakeError | FileDamaged> {
  const text = yield* lakeStep(`Read ${path}`, () => readFile(path, "utf8").catch(whereNoFileIs))
  if (text === null) return yield* new FileDamaged({ file: path, what: "it is gone, or no file" })
  const damaged = () => new FileDamaged({ file: path, what: "its text is not what Cardlake wrote there" })
  const json = yield* Effect.mapError(decodeJson(text), damaged)
  if (!isAsSummed(json)) return yield* damaged()
  return yield* Effect.mapError(Effect.fromOption(Schema.decodeUnknownOption(schema)(json)), damaged)
})

const isAsSummed = (json: unknown): boolean => {
  if (typeof json !== "object" || json === null || !("sha256" in json)) return true
  const { sha256, ...document } = json
  return sha256 === sumOf(document)
}

const whereNoFileIs = (cause: NodeJS.ErrnoException): null => {
  if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(cause.code ?? "")) return null
  throw cause
}

/** Up to this size a file is read at once, which takes a tenth of the time of a stream. */
const readAtOnceBytes = 4 * 1024 * 1024

/** sha256 of a file, lower-case hex. */
export const fileSha256 = (path: string) =>
  lakeStep(`Hash ${path}`, async () => {
    if ((await stat(path)).size <= readAtOnceBytes) return hash("sha256", await readFile(path), "hex")
    const sum = createHash("sha256")
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk)
    return sum.digest("hex")
  })
