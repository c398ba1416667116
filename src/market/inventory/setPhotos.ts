import { Effect, Result, Stream } from "effect"
import { Multipart } from "effect/http"
import { imageSize } from "image-size"
import { writeFileSync } from "node:fs"
import { type BadRequest, type NotFound, PayloadTooLarge } from "../../feed/contract/Errors.ts"
import { limits } from "../contract/Limits.ts"
import { requestOrigin } from "../answers/wire.ts"
import { badRequest } from "../answers/refusals.ts"
import { Files } from "../files/Files.ts"
import { readCallerState } from "../state/answerOnce.ts"
import { write } from "../state/State.ts"
import { noSuchLine } from "./changeLine.ts"
import { afterPhotos, putPhotos } from "./linePhotos.ts"
import { findLine, shownLine } from "./LineRow.ts"

interface NewPhoto {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly width: number
  readonly height: number
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif"
}

/** Detects the image type from the bytes, whatever the upload claims. */
const readPhoto = (bytes: Uint8Array): Effect.Effect<NewPhoto, BadRequest> =>
  Effect.try({
    try: () => imageSize(bytes),
    catch: () => badRequest("files", "contains a file that is not a picture")
  }).pipe(
    Effect.flatMap(({ height, type = "", width }) => {
      const contentType = types[type]
      return contentType === undefined
        ? Effect.fail(badRequest("files", `contains a picture in ${type}; send png, jpg, webp or gif`))
        : Effect.succeed({ bytes, contentType, width, height })
    })
  )

const tooLarge = (bytes: number) =>
  new PayloadTooLarge({
    message: `A picture may have ${limits.photoBytes} bytes`,
    data: { maxBytes: limits.photoBytes, receivedBytes: bytes }
  })

/** Returns the pictures of an upload in order. */
const readPhotos = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  length: number
) {
  const photos = yield* parts.pipe(
    Stream.filter(Multipart.isFile),
    Stream.mapEffect((file) => file.contentEffect),
    Stream.runCollect,
    Effect.mapError((error) =>
      error.reason._tag === "FileTooLarge" ? tooLarge(length) : badRequest("files", `cannot be read: ${error.message}`)
    )
  )
  if (photos.some(({ byteLength }) => byteLength > limits.photoBytes)) return yield* tooLarge(length)
  return photos.length >= 1 && photos.length <= limits.photosPerLine
    ? yield* Effect.forEach(photos, readPhoto)
    : yield* badRequest("files", `send 1 to ${limits.photosPerLine} pictures`)
})

/** Replaces a line's photos. `length` is the announced content length. Beyond the spec: section 10, media. */
export const setPhotos = Effect.fnUntraced(function* (
  inventoryId: string,
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  length: number
) {
  const { accountId, store } = yield* readCallerState
  const origin = yield* requestOrigin
  const files = yield* Files
  if (findLine(store, accountId, inventoryId) === undefined) return yield* noSuchLine(inventoryId)
  const photos = yield* readPhotos(parts, length)
  const removeUnshown = afterPhotos(store, files, [inventoryId])
  const line = yield* write((tx): Result.Result<ReturnType<typeof shownLine>, NotFound> => {
    if (findLine(tx, accountId, inventoryId) === undefined) return Result.fail(noSuchLine(inventoryId))
    const rows = photos.map(({ bytes, contentType, height, width }) => {
      const fileId = tx.newId()
      // The file must exist before the row that names it is committed.
      writeFileSync(files.path(fileId), bytes)
      return { file_id: fileId, content_type: contentType, width, height }
    })
    putPhotos(tx, inventoryId, rows)
    tx.run("update inventory_lines set updated_at = :at where id = :inventoryId", { inventoryId, at: tx.at })
    return Result.succeed(shownLine(tx, inventoryId, origin))
  })
  removeUnshown()
  return line
})
