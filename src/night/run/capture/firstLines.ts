import { Effect, Result, Stream } from "effect"
import { LinkFailed, FeedStorage } from "../../../feed/client/FeedStorage.ts"
import { type CapturedAnswer, capturedLines } from "../../../feed/contract/Capture.ts"
import { TooLarge, unpackPieces } from "../../../feed/guard/unpack.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { cutText } from "./cutText.ts"

/** Max bytes, unpacked. The needed lines of any feed are shorter. */
const maxBytes = 16 * 1024 * 1024

const newline = 0x0a

const whyNot = (cause: unknown): string => {
  if (cause instanceof LinkFailed) return cause.what
  if (cause instanceof TooLarge) return `its first ${capturedLines} lines are more than 16 MB`
  return `it cannot be unpacked, ${cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)}`
}

/** Returns the first lines of a linked file without downloading the rest, or a sentence. The request has no key. */
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

/** Returns the links in an answer by key. */
export const linksIn = (feeds: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isObject(feeds) ? feeds : {}).flatMap(([type, feed]) => {
      const values = isObject(feed) ? Object.values(feed) : []
      const found = values.find((value) => typeof value === "string" && /^https?:\/\//.test(value))
      return typeof found === "string" ? [[type, found] as const] : []
    })
  )

/** Returns the first lines of a feed as an answer, with counts of removed parts. */
export const askLines = Effect.fnUntraced(function* (type: "catalog" | "expansions" | "prices", link: string) {
  const found = yield* Effect.result(firstLines(link))
  const { cuts, text } = cutText(
    Result.getOrElse(found, () => ""),
    true
  )
  const answer: CapturedAnswer = {
    part: `${type} lines`,
    request: `GET ${type}`,
    status: Result.isSuccess(found) ? 200 : null,
    headers: {},
    body: text,
    fault: Result.isSuccess(found) ? null : found.failure
  }
  return { answer, cuts, json: undefined, whole: undefined }
})
