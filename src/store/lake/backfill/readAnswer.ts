import { readFile } from "node:fs/promises"
import { Effect, Result } from "effect"
import { parseBody, unpack } from "../../../feed/client/RawBody.ts"
import { answerFile, type BackfillSpan } from "../../home/backfill/backfillLedger.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { obtained } from "../../../feed/reading/StandIns.ts"
import { acceptHistory } from "../../../feed/rows/acceptHistory.ts"

/** What the contract takes of an answer's bytes; fails in words if it takes nothing. */
export const acceptAnswer = (span: BackfillSpan, bytes: Uint8Array) => {
  const body = unpack(bytes, "gzip", true)
  if (Result.isFailure(body) || body.success === null) return Result.fail("Its bytes are not those of an answer")
  const { plain, text } = body.success
  const json = parseBody(text)
  return Result.isFailure(json) ? Result.fail(json.failure) : acceptHistory({ json: json.success, plain, text }, span)
}

/** A stored answer through the contract. */
export const readAnswer = Effect.fnUntraced(function* (gameId: string, span: BackfillSpan) {
  const file = yield* answerFile(gameId, span)
  yield* obtained(file)
  return acceptAnswer(span, yield* lakeStep(`Read ${file}`, () => readFile(file)))
})
