import { createGunzip } from "node:zlib"
import { Effect, Stream } from "effect"
import { FeedStorage } from "../../client/links/FeedStorage.ts"
import { capturedLines } from "../../contract/Capture.ts"

/** More than so many lines of any feed. */
const maxBytes = 16 * 1024 * 1024

/** Unpacks as far as it comes. It is written to piece by piece, and closed in the middle of the file. */
const makeUnpacking = () => {
  const gunzip = createGunzip()
  const pieces: Array<Buffer> = []
  let fault: string | null = null
  gunzip.on("data", (piece: Buffer) => pieces.push(piece))
  gunzip.on(
    "error",
    (cause: NodeJS.ErrnoException) => (fault = `it cannot be unpacked, ${cause.code ?? cause.message}`)
  )
  return {
    take: (piece: Uint8Array) =>
      Effect.callback<void, string>((resume) => {
        const end = () => resume(fault === null ? Effect.void : Effect.fail(fault))
        gunzip.once("error", end)
        gunzip.write(piece, () =>
          // What was written may not be out yet.
          gunzip.flush(() => {
            gunzip.off("error", end)
            end()
          })
        )
      }),
    text: () => Buffer.concat(pieces).toString("utf8"),
    close: () => gunzip.destroy()
  }
}

const isPacked = (piece: Uint8Array): boolean => piece[0] === 0x1f && piece[1] === 0x8b

/** The first lines of the file behind a link, without the rest of it; fails in words. The link is asked for without a key. */
export const firstLines = Effect.fnUntraced(function* (link: string): Effect.fn.Return<string, string, FeedStorage> {
  const storage = yield* FeedStorage
  let unpacking: ReturnType<typeof makeUnpacking> | null = null
  const plain: Array<Uint8Array> = []
  let bytes = 0
  const text = () => unpacking?.text() ?? Buffer.concat(plain).toString("utf8")
  const take = Effect.fnUntraced(function* (piece: Uint8Array) {
    if (bytes === 0 && isPacked(piece)) unpacking = makeUnpacking()
    bytes += piece.length
    if (unpacking === null) plain.push(piece)
    else yield* unpacking.take(piece)
    if (bytes > maxBytes) return yield* Effect.fail(`its first ${capturedLines} lines are more than 16 MB`)
    return text().split("\n").length <= capturedLines
  })
  yield* storage.bytes(link).pipe(
    Stream.mapError(({ what }) => what),
    Stream.mapEffect(take),
    Stream.takeWhile((isShort) => isShort),
    Stream.runDrain,
    Effect.ensuring(Effect.sync(() => unpacking?.close()))
  )
  const lines = text().split("\n")
  return `${lines.slice(0, capturedLines).join("\n").trimEnd()}\n`
})
