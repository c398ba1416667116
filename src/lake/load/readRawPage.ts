import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Result, Schema } from "effect"
import { parseBody, unpackBody, type RawBody } from "../../client/RawBody.ts"
import type { RawPage } from "../../extract/Extraction.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { fileSha256 } from "../home/disk.ts"

/** A raw page is not what it was when it came. */
export class RawPageDamaged extends Schema.TaggedError<RawPageDamaged>()("RawPageDamaged", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The raw page ${this.file} is damaged (${this.reason}), so its snapshot cannot be made again. Check the disk, or bring the file back from a backup`
  }
}

/** Fails where a raw page of an extraction does not have the bytes that came. */
export const verifyRawPage = Effect.fnUntraced(function* (folder: string, page: RawPage) {
  const file = join(folder, page.file)
  const isSame = Effect.map(fileSha256(file), (sha256) => sha256 === page.sha256)
  // In the first readings the sum was that of the uncompressed body.
  if (!(yield* isSame)) yield* readRawPage(folder, page)
})

/** A page of an extraction, off the disk, as it came. Fails where the bytes are not those that came. */
export const readRawPage = Effect.fnUntraced(function* (folder: string, page: RawPage) {
  const file = join(folder, page.file)
  const bytes = yield* lakeStep(`Read ${file}`, () => readFile(file))
  const damaged = (reason: string) => new RawPageDamaged({ file, reason })
  const body = yield* Effect.mapError(unpackBody(bytes, "gzip"), damaged)
  // Of the file; of the uncompressed body in the first readings.
  if (![bytes, body.plain].some((of) => hash("sha256", of, "hex") === page.sha256)) {
    return yield* damaged("another sha256 than when it was read")
  }
  const json = yield* Effect.fromResult(Result.mapError(parseBody(body.text), damaged))
  const data: unknown = typeof json === "object" && json !== null && "data" in json ? json.data : null
  if (!Array.isArray(data)) return yield* damaged("no list")
  const { request, requestId } = page
  return { ...body, bytes, request, requestId, data } satisfies RawBody & { readonly data: ReadonlyArray<unknown> }
})
