import { HttpServerResponse } from "effect/http"
import { textOf, withText } from "../answers/wireBody.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { envelopeAnswer } from "../answers/envelopeAnswer.ts"

type Answer = HttpServerResponse.HttpServerResponse

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
