import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"
import type { Service } from "./attempt.ts"
import { mayHold } from "./scrub.ts"

/**
 * A page as it came; where it repeats the API key, the same page without it: the key gets into no file of the home and into no row. The
 * records stay, with `<redacted>` in their texts.
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
