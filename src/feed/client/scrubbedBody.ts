import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"
import { mayHold } from "./scrub.ts"

/** The API key, as seen by code that looks for it in answers. */
export interface Secret {
  readonly key: string
  /** Takes the key out of a text: a server may repeat it. */
  readonly scrub: (text: string) => string
  /** A page repeats the key. */
  readonly onRepeated: (request: string) => Effect.Effect<void>
}

/** For pages from the disk, which were stored without it. */
export const noSecret: Secret = { key: "", scrub: (text) => text, onRepeated: () => Effect.void }

/** Whether a text may contain the key in any form. */
export const mayRepeat = (key: string, text: string): boolean => key !== "" && mayHold(text, key)

/**
 * A page without the API key, in case the service repeats it: the key never reaches a file or row.
 * The records stay, with `<redacted>` in their texts.
 */
export const scrubbedBody = Effect.fnUntraced(function* (
  { key, onRepeated, scrub }: Secret,
  body: RawBody
): Effect.fn.Return<RawBody> {
  if (!mayRepeat(key, body.text)) return body
  const text = scrub(body.text)
  if (text === body.text) return body
  yield* onRepeated(body.request)
  const plain = Buffer.from(text)
  return { ...body, bytes: plain, gzip: false, plain, text }
})
