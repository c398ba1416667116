import type { Answer, Incoming } from "../answers/wire.ts"
import { Effect, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { Caller } from "../../feed/contract/Authorization.ts"
import { type BadRequest, IdempotencyKeyReused } from "../../feed/contract/Errors.ts"
import { limits } from "../contract/Limits.ts"
import { badRequest } from "../answers/refusals.ts"
import { textOfMillis } from "./MarketClock.ts"
import { State, type Transaction } from "./State.ts"

/** The state and the caller's account. */
export const readCallerState = Effect.gen(function* () {
  return { store: (yield* State).store, accountId: (yield* Caller).accountId }
})

/** The parts of a contract error that are sent. */
export interface Problem {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly data: object
}

interface AnswerRow {
  readonly request: string
  readonly sha256: string | null
  readonly status: number
  readonly body: string
}

/** The request of an idempotency key: account, method, path and body. */
interface KeyedRequest {
  readonly accountId: string
  readonly key: string
  readonly request: string
  readonly sha256: string
}

const hourMillis = 3_600_000
const maxKeyLength = 255

const reused = ({ request }: AnswerRow) =>
  new IdempotencyKeyReused({
    message: `The Idempotency-Key was used for another request: ${request}. Send each request with a key of its own`,
    data: { request }
  })

/** Finds the answer to an earlier attempt. Fails if the key was used for another request. */
const findAnswer = (
  tx: Transaction,
  { accountId, key, request, sha256 }: KeyedRequest
): Result.Result<AnswerRow | undefined, IdempotencyKeyReused> => {
  const since = textOfMillis(tx.atMillis - limits.idempotencyHours * hourMillis)
  tx.run("delete from idempotent_answers where answered_at <= :since", { since })
  const row = tx.one<AnswerRow>(
    `select request, sha256, status, body from idempotent_answers
     left join idempotent_bodies using (account_id, idempotency_key)
     where account_id = :accountId and idempotency_key = :key`,
    { accountId, key }
  )
  if (row === undefined) return Result.succeed(undefined)
  const isSame = row.request === request && (row.sha256 ?? sha256) === sha256
  return isSame ? Result.succeed(row) : Result.fail(reused(row))
}

const keepAnswer = (
  tx: Transaction,
  { sha256, ...values }: KeyedRequest,
  { body, status }: { readonly status: number; readonly body: unknown }
) => {
  tx.run("insert into idempotent_answers values (:accountId, :key, :request, :status, :body, :at)", {
    ...values,
    status,
    body: JSON.stringify(body),
    at: tx.at
  })
  const { accountId, key } = values
  tx.run("insert into idempotent_bodies values (:accountId, :key, :sha256)", { accountId, key, sha256 })
}

/** The answer of this attempt, or the stored text of an earlier one. */
type OnceAnswer<A> = { readonly answer: A } | { readonly row: AnswerRow }

interface AnswerOptions {
  readonly status?: number
  /** Replaces the body's hash for an upload, whose bytes differ in every attempt. */
  readonly sha256?: Effect.Effect<string>
}

/**
 * Runs a write of the caller's account and stores its answer, in one transaction. An `Idempotency-Key` repeats the
 * answer for 24 hours, including errors except 5xx, without repeating the write. Beyond the spec: section 1.
 */
export const answerOnce = Effect.fnUntraced(function* <A, E extends Problem>(
  change: (tx: Transaction, accountId: string) => Result.Result<A, E>,
  { status = 200, sha256 }: AnswerOptions = {}
): Effect.fn.Return<A | Answer, E | BadRequest | IdempotencyKeyReused, State | Caller | Incoming> {
  const { accountId } = yield* Caller
  const { write } = yield* State
  const { headers, method, text, url } = yield* HttpServerRequest.HttpServerRequest
  const key = headers["idempotency-key"]
  if (key === undefined || key === "") return yield* write((tx) => change(tx, accountId))
  if (key.length > maxKeyLength) return yield* badRequest("idempotency-key", `is longer than ${maxKeyLength}`)
  const sent = sha256 ?? Effect.map(Effect.orDie(text), (body) => createHash("sha256").update(body).digest("hex"))
  const keyed: KeyedRequest = { accountId, key, request: `${method} ${url}`, sha256: yield* sent }

  const attempt = (tx: Transaction): Result.Result<OnceAnswer<A>, E | IdempotencyKeyReused> =>
    Result.flatMap(findAnswer(tx, keyed), (row): Result.Result<OnceAnswer<A>, E> => {
      if (row !== undefined) return Result.succeed({ row })
      return Result.map(change(tx, accountId), (body) => {
        keepAnswer(tx, keyed, { status, body })
        return { answer: body }
      })
    })
  const keepError = ({ code, status, message, data }: Problem) =>
    write((tx) =>
      Result.map(findAnswer(tx, keyed), (row) => {
        if (row === undefined) keepAnswer(tx, keyed, { status, body: { code, status, message, data } })
      })
    ).pipe(Effect.ignore)
  const given = yield* Effect.tapError(write(attempt), (error) => (error.status < 500 ? keepError(error) : Effect.void))
  if ("answer" in given) return given.answer
  return HttpServerResponse.text(given.row.body, { status: given.row.status, contentType: "application/json" })
})
