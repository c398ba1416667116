import { HttpServerResponse } from "effect/http"
import type { DrawnFault } from "./Faults.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { envelopeAnswer } from "../answers/answerRules.ts"
import { textOf, wireBytes, withText, withWireBytes } from "../answers/wireBody.ts"

type Answer = HttpServerResponse.HttpServerResponse

const page = "<!doctype html><html><head><title>Just a moment</title></head><body>We will be right back.</body></html>"

/** A proxy's error page that claims to be a success. */
export const htmlPage = (answer: Answer): Answer => {
  const { "content-encoding": _, ...headers } = answer.headers
  return HttpServerResponse.text(page, { headers, contentType: "text/html; charset=utf-8" })
}

/** 200 without a body. */
export const emptyBody = (answer: Answer): Answer => withWireBytes(answer, new Uint8Array())

/** A body that ends early and claims to be complete. */
export const truncatedBody = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const bytes = wireBytes(answer)
  return withWireBytes(answer, bytes.subarray(0, Math.max(1, Math.floor(bytes.byteLength * draw("cut")))))
}

/** Bytes that begin like gzip but are not. */
export const invalidGzip = (answer: Answer, draw: DrawnFault["draw"]): Answer => {
  const noise = Buffer.from(Array.from({ length: 64 }, (_, at) => Math.floor(draw(`noise ${at}`) * 256)))
  const bytes = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), noise])
  return HttpServerResponse.setHeader(withWireBytes(answer, bytes), "content-encoding", "gzip")
}

/** A complete body, packed as requested, that is not JSON: a bracket is missing at its end. */
export const invalidJson = (answer: Answer): Answer => withText(answer, `${textOf(answer).slice(0, -1)},]`)

/** A link that object storage no longer takes. */
export const deadLink = HttpServerResponse.text(
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
  { status: 403, contentType: "application/xml" }
)

/** The file as it is, with a head that says it was packed for the way. */
export const declaredGzip = (answer: Answer): Answer => HttpServerResponse.setHeader(answer, "content-encoding", "gzip")

export const feedNotGenerated = (gameId: string | undefined): Answer =>
  envelopeAnswer(500, {
    code: "FEED_NOT_GENERATED",
    message: "The feeds of this game were never built",
    data: gameId === undefined ? {} : { gameId }
  })

type File = Readonly<Record<string, unknown>> | null

/** What is said of every file, with one thing changed. Undefined if the answer is not about the files of a game. */
export const strangeFiles = (answer: Answer, rule: FaultRule): Answer | undefined => {
  const files = JSON.parse(textOf(answer)) as Readonly<Record<string, File>>
  if (!("catalog" in files)) return undefined
  const changed = (file: File): File => {
    if (file === null) return null
    if (rule.kind === "wrong-checksum") return { ...file, checksum: "0".repeat(64) }
    return rule.kind === "wrong-count" ? { ...file, recordCount: Number(file["recordCount"]) + (rule.by ?? 1) } : file
  }
  const all = Object.fromEntries(Object.entries(files).map(([type, file]) => [type, changed(file)]))
  return withText(answer, JSON.stringify(rule.kind === "null-feed" ? { ...all, prices: null } : all))
}
