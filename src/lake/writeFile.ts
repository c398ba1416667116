import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readFile, rename } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Schema } from "effect"
import { LakeError, lakeStep } from "./LakeError.ts"

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

/** Writes a JSON document whole: temporary file, flush, rename. */
export const writeJson = Effect.fnUntraced(function* <S extends Schema.Encoder<unknown>>(
  path: string,
  schema: S,
  value: S["Type"]
) {
  const text = JSON.stringify(yield* Effect.orDie(Schema.encodeEffect(schema)(value)), null, 2)
  yield* lakeStep(`Write ${path}`, async () => {
    await mkdir(dirname(path), { recursive: true })
    const handle = await open(`${path}.part`, "w")
    try {
      await handle.writeFile(`${text}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
  yield* replace(`${path}.part`, path)
})

/** Reads a JSON document of ours. Fails when it is missing or not what its schema says. */
export const readJson = <S extends Schema.Decoder<unknown>>(
  path: string,
  schema: S
): Effect.Effect<S["Type"], LakeError> =>
  lakeStep(`Read ${path}`, () => readFile(path, "utf8")).pipe(
    Effect.flatMap((text) => Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text)),
    Effect.mapError((cause) => (cause._tag === "LakeError" ? cause : new LakeError({ step: `Read ${path}`, cause })))
  )

/** sha256 of a file, lower-case hex. */
export const fileSha256 = (path: string) =>
  lakeStep(`Hash ${path}`, async () => {
    const hash = createHash("sha256")
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    return hash.digest("hex")
  })
