import { Effect, Schema, Stream } from "effect"
import { FileSystem } from "effect/FileSystem"
import type { Multipart } from "effect/http"
import { stat } from "node:fs/promises"
import { PayloadTooLarge } from "../../feed/contract/Errors.ts"
import { limits } from "../contract/Limits.ts"
import { FileFormat, ImportMode } from "../contract/jobs/Job.ts"
import { UnsupportedContentType } from "../contract/jobs/jobOperations.ts"
import { badRequest } from "../answers/refusals.ts"
import { Files } from "../files/Files.ts"
import { isPacked } from "./fileRows.ts"

/** What an import's upload says besides its file, which is on disk by then. */
export interface Upload {
  readonly mode: ImportMode
  readonly format: FileFormat
}

const isMode = Schema.is(ImportMode)
const isFormat = Schema.is(FileFormat)

const unsupported = (message: string) => new UnsupportedContentType({ message, data: { field: "file" } })

/** From its name, else from its type; a packed file does not show it. */
const formatOf = ({ contentType, name }: Pick<Multipart.File, "contentType" | "name">): FileFormat | undefined => {
  const named = /\.(csv|json)$/i.exec(name)?.[1]?.toLowerCase()
  if (isFormat(named)) return named
  if (/^text\/csv\b/i.test(contentType)) return "csv"
  return /^application\/json\b/i.test(contentType) ? "json" : undefined
}

/**
 * Writes the part `file` to `path` as it comes, and reads `mode` and `format`. `length` is what the client announced.
 */
export const readUpload = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  { length, path }: { readonly path: string; readonly length: number }
) {
  const files = yield* Files
  const fs = yield* FileSystem
  const fields = new Map<string, string>()
  let found: Pick<Multipart.File, "contentType" | "name"> | undefined
  const tooLarge = new PayloadTooLarge({
    message: `An import may have ${limits.importBytes} bytes`,
    data: { maxBytes: limits.importBytes, receivedBytes: length }
  })
  yield* Stream.runForEach(parts, (part) => {
    if (part._tag === "Field") {
      return Effect.sync(() =>
        part.key === "mode" || part.key === "format" ? fields.set(part.key, part.value) : fields
      )
    }
    if (part.key !== "file" || found !== undefined) return Stream.runDrain(part.content)
    found = part
    return Stream.run(part.content, fs.sink(path))
  }).pipe(
    Effect.catchTag("MultipartError", (error) =>
      Effect.fail(
        error.reason._tag === "FileTooLarge" ? tooLarge : badRequest("file", `cannot be read: ${error.message}`)
      )
    ),
    Effect.catchTag("PlatformError", (error) => Effect.die(files.fault(error)))
  )
  if (found === undefined) return yield* badRequest("file", "is missing")
  if ((yield* Effect.promise(() => stat(path))).size > limits.importBytes) return yield* tooLarge
  const mode = fields.get("mode") ?? "upsert"
  if (!isMode(mode)) return yield* badRequest("mode", "expected upsert or replace")
  const stated = fields.get("format")
  if (stated !== undefined && !isFormat(stated)) return yield* badRequest("format", "expected json or csv")
  const packed = yield* Effect.promise(() => isPacked(path))
  const format = stated ?? (packed ? undefined : formatOf(found))
  if (format === undefined) {
    return yield* unsupported(packed ? "format: say json or csv for a packed file" : "file: is neither csv nor json")
  }
  return { mode, format } satisfies Upload
})
