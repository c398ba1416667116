import { Effect, Result, Schema, Stream } from "effect"
import type { Multipart } from "effect/http"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import {
  FileFormat,
  ImportMode,
  UnprocessableFile,
  type ImportPreset,
  UnsupportedContentType
} from "../contract/jobs/jobOperations.ts"
import { type Incoming, requestOrigin } from "../answers/wire.ts"
import { Files } from "../files/Files.ts"
import { answerOnce } from "../state/answerOnce.ts"
import { commit, type Transaction } from "../state/State.ts"
import { type BatchRow, fileRows, type Layout, isPacked } from "./fileRows.ts"
import { findJob, showJob, type JobRow } from "./JobRow.ts"
import { Jobs } from "./Jobs.ts"
import { isOfPreset } from "./presets.ts"
import { FileSystem } from "effect/FileSystem"
import { stat } from "node:fs/promises"
import { PayloadTooLarge } from "../../feed/contract/Errors.ts"
import { limits } from "../contract/Limits.ts"
import { badRequest } from "../answers/refusals.ts"

/** The form of an import. Its file is already on disk. */
export interface Upload {
  readonly mode: ImportMode
  readonly format: FileFormat
}

const isMode = Schema.is(ImportMode)
const isFormat = Schema.is(FileFormat)

const unsupported = (message: string) => new UnsupportedContentType({ message, data: { field: "file" } })

/** Detects the format from the file's name or type. A compressed file does not show it. */
const detectFormat = ({ contentType, name }: Pick<Multipart.File, "contentType" | "name">): FileFormat | undefined => {
  const named = /\.(csv|json)$/i.exec(name)?.[1]?.toLowerCase()
  if (isFormat(named)) return named
  if (/^text\/csv\b/i.test(contentType)) return "csv"
  return /^application\/json\b/i.test(contentType) ? "json" : undefined
}

/** Streams the part `file` to `path`, and reads `mode` and `format`. `length` is the announced content length. */
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
  const format = stated ?? (packed ? undefined : detectFormat(found))
  if (format === undefined) {
    return yield* unsupported(packed ? "format: say json or csv for a packed file" : "file: is neither csv nor json")
  }
  return { mode, format } satisfies Upload
})

interface NewJob extends Pick<JobRow, "kind" | "format" | "mode" | "preset" | "filters"> {
  readonly sourceId: string | null
}

const insertJob = (tx: Transaction, job: NewJob & { readonly accountId: string; readonly origin: string }): string => {
  const id = tx.newId()
  tx.run(
    `insert into jobs (id, account_id, kind, status, format, mode, preset, filters, origin, source_id, created_at)
     values (:id, :accountId, :kind, 'pending', :format, :mode, :preset, :filters, :origin, :sourceId, :at)`,
    { ...job, id, at: tx.at }
  )
  return id
}

/** Stores a job and starts it after the commit. A repeated answer starts none. */
const startJob = Effect.fnUntraced(function* (job: NewJob, sha256?: Effect.Effect<string>) {
  const files = yield* Files
  const jobs = yield* Jobs
  const origin = yield* requestOrigin
  let started: string | undefined
  const answer = yield* answerOnce(
    (tx, accountId) => {
      const id = insertJob(tx, { ...job, accountId, origin })
      const row = findJob(tx, id)
      if (row === undefined) throw new Error(`The job ${id} was not stored`)
      started = id
      return Result.succeed({ job: showJob(row, files, tx.atMillis) })
    },
    { status: 202, ...(sha256 === undefined ? {} : { sha256 }) }
  )
  if (started !== undefined) jobs.start(started)
  else if (job.sourceId !== null) files.remove(job.sourceId)
  return answer
})

const firstRow = async (path: string, layout: Layout): Promise<BatchRow> => {
  for await (const [row] of fileRows(path, layout)) return row
  return undefined
}

/** Refuses a file without the preset's columns before the job starts. Beyond the spec: section 11. */
export const checkPreset = (preset: ImportPreset) =>
  Effect.fnUntraced(function* (path: string, format: FileFormat) {
    const row = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => firstRow(path, { format, preset })),
      () => undefined
    )
    if (row === undefined || !isOfPreset(preset, row)) {
      const message = `The file is none that ${preset} writes`
      return yield* new UnprocessableFile({ message, data: { source: preset } })
    }
  })

/** Hashes an upload's file and form without the boundary, which differs in every attempt. */
const uploadHash = (path: string, { format, mode }: Upload) =>
  Effect.promise(async () => {
    const hash = createHash("sha256").update(JSON.stringify({ format, mode }))
    await pipeline(createReadStream(path), hash)
    return hash.digest("hex")
  })

interface SentFile {
  readonly request: Incoming
  readonly parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
}

/** Stores an upload and starts its import if `check` accepts the file. */
export const startImport = Effect.fnUntraced(function* <E = never>(
  { parts, request }: SentFile,
  preset: ImportPreset | null,
  check: (path: string, format: FileFormat) => Effect.Effect<void, E> = () => Effect.void
) {
  const files = yield* Files
  const sourceId = yield* commit((tx) => tx.newId())
  const path = files.path(sourceId)
  const length = Number(request.headers["content-length"] ?? 0)
  return yield* readUpload(parts, { path, length }).pipe(
    Effect.tap(({ format }) => check(path, format)),
    Effect.flatMap((upload) =>
      startJob({ kind: "import", ...upload, preset, filters: null, sourceId }, uploadHash(path, upload))
    ),
    Effect.tapCause(() => Effect.sync(() => files.remove(sourceId)))
  )
})

/** Starts an export of the lines that match the filters. */
export const startExport = (format: FileFormat, filters: object) =>
  startJob({ kind: "export", format, mode: null, preset: null, filters: JSON.stringify(filters), sourceId: null })
