import { Effect, Result } from "effect"
import { parseBody, unpackBody, type Answer, type OpenedPage, type Page, type RawBody } from "./RawBody.ts"
import { NotOurJson, type OpenFault } from "./OpenFault.ts"
import type { PageCall, PageContent } from "./pageCalls.ts"
import { scrubbedBody, type Secret } from "./scrub.ts"

/** Opens a page of a list: with all of its records, or with only the required parts. */
export type OpenPage<P, A extends OpenedPage<P>> = (
  answer: Answer,
  call: PageCall<P>,
  secret: Secret
) => Effect.Effect<A, OpenFault>

export const readText = <A>(
  text: string,
  read: (json: unknown) => Result.Result<A, NotOurJson | string>
): Result.Result<A, NotOurJson | string> => {
  if (/^\uFEFF?\s*</.test(text)) return Result.fail(new NotOurJson("it answers HTML", "address"))
  const json = parseBody(text)
  return Result.isFailure(json) ? Result.fail(json.failure) : read(json.success)
}

/** Returns the body of an answer without the key, and its parsed content. */
export const openBody = Effect.fnUntraced(function* <A>(
  { bytes, encoding, ...rest }: Answer,
  secret: Secret,
  read: (json: unknown) => Result.Result<A, NotOurJson | string>
): Effect.fn.Return<{ readonly body: RawBody; readonly value: A }, OpenFault> {
  const body = yield* scrubbedBody(secret, { ...rest, bytes, ...(yield* unpackBody(bytes, encoding)) })
  return { body, value: yield* Effect.fromResult(readText(body.text, read)) }
})

export const wholePage = <P>(answer: Answer, call: { readonly read: PageCall<P>["read"] }, secret: Secret) =>
  Effect.map(openBody(answer, secret, call.read), ({ body, value }) => makePage(body, value, answer.bytes.length))

export const makePage = <P>(body: RawBody, value: PageContent<P>, sentBytes: number): Page<P> => ({
  ...body,
  ...value,
  sentBytes,
  received: value.data.length
})
