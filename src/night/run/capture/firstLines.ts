import { Effect, Stream } from "effect"
import { LinkFailed } from "../../../feed/client/links/linksBeside.ts"
import { FeedStorage } from "../../../feed/client/links/FeedStorage.ts"
import { capturedLines } from "../../../feed/contract/Capture.ts"
import { TooLarge, unpackPieces } from "../../../feed/guard/unpack.ts"

/** More than so many lines of any feed, unpacked. */
const maxBytes = 16 * 1024 * 1024

const newline = 0x0a

const whyNot = (cause: unknown): string => {
  if (cause instanceof LinkFailed) return cause.what
  if (cause instanceof TooLarge) return `its first ${capturedLines} lines are more than 16 MB`
  return `it cannot be unpacked, ${cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)}`
}

/** The first lines of the file behind a link, without the rest of it; fails in words. The link is asked for without a key. */
export const firstLines = Effect.fnUntraced(function* (link: string): Effect.fn.Return<string, string, FeedStorage> {
  const storage = yield* FeedStorage
  const pieces: Array<Buffer> = []
  let lines = 0
  yield* Stream.fromAsyncIterable(unpackPieces(Stream.toAsyncIterable(storage.bytes(link)), maxBytes), whyNot).pipe(
    Stream.takeUntil((piece) => {
      pieces.push(piece)
      for (const byte of piece) if (byte === newline) lines += 1
      return lines >= capturedLines
    }),
    Stream.runDrain
  )
  const text = Buffer.concat(pieces).toString("utf8").split("\n")
  return `${text.slice(0, capturedLines).join("\n").trimEnd()}\n`
})
