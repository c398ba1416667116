import { Effect } from "effect"
import type { RawBody } from "./RawBody.ts"
import { mayHold } from "./scrub.ts"

/** The API key, as those know it who look for it in what the service answers. */
export interface Secret {
  readonly key: string
  /** Takes the key out of a text: a server may repeat it. */
  readonly scrub: (text: string) => string
  /** A page repeats the key. */
  readonly onRepeated: (request: string) => Effect.Effect<void>
}

/** Of pages off the disk, which came without it. */
export const noSecret: Secret = { key: "", scrub: (text) => text, onRepeated: () => Effect.void }

/** Whether a text may hold the key in any form. */
export const mayRepeat = (key: string, text: string): boolean => key !== "" && mayHold(text, key)

/**
 * A page without the API key, if the service repeats it: the key gets into no file and no row.
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
