import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"
import type { Service } from "./attempt.ts"
import { mayHold } from "./scrub.ts"

/**
 * A page without the API key, if the service repeats it: the key gets into no file and no row.
 * The records stay, with `<redacted>` in their texts.
 */
export const scrubbedBody = Effect.fnUntraced(function* (
  { key, onRepeated, scrub }: Pick<Service, "key" | "onRepeated" | "scrub">,
  body: RawBody
): Effect.fn.Return<RawBody> {
  if (!mayHold(body.text, key)) return body
  const text = scrub(body.text)
  if (text === body.text) return body
  yield* onRepeated(body.request)
  const plain = Buffer.from(text)
  return { ...body, bytes: plain, gzip: false, plain, text }
})
