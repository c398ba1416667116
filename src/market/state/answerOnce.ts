import { Effect, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Caller } from "../../contract/Authorization.ts"
import type { BadRequest } from "../../contract/Errors.ts"
import { limits } from "../contract/Limits.ts"
import { badRequest } from "../answers/badRequest.ts"
import { textOfMillis } from "./MarketClock.ts"
import { State, type Transaction } from "./State.ts"

/** An error of the contract: what of it goes over the wire. */
export interface Problem {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly data: object
}

interface AnswerRow {
  readonly request: string
  readonly status: number
  readonly body: string
}

const hourMillis = 3_600_000
const longestKey = 255

/** The answer to an earlier try, if there is one. Fails if the key was used for another request. */
const findAnswer = (
  tx: Transaction,
  accountId: string,
  { key, named: request }: { readonly key: string; readonly named: string }
): Result.Result<AnswerRow | undefined, BadRequest> => {
  const since = textOfMillis(tx.atMillis - limits.idempotencyHours * hourMillis)
  tx.run("delete from idempotent_answers where answered_at <= :since", { since })
  const row = tx.one<AnswerRow>(
    `select request, status, body from idempotent_answers
     where account_id = :accountId and idempotency_key = :key`,
    { accountId, key }
  )
  return row === undefined || row.request === request
    ? Result.succeed(row)
    : Result.fail(badRequest("idempotency-key", `was used for ${row.request} before`))
}

/** The answer: of this try, or the stored text of an earlier one. */
type Given<A> = { readonly answer: A } | { readonly row: AnswerRow }

/**
 * A write and its answer in one transaction. The same `Idempotency-Key` gives the same answer for 24 hours, errors
 * included except 5xx, and the write happens once. Beyond the spec: section 1.
 */
export const answerOnce = Effect.fnUntraced(function* <A, E extends Problem>(
  change: (tx: Transaction) => Result.Result<A, E>,
  { status = 200 }: { readonly status?: number } = {}
): Effect.fn.Return<
  A | HttpServerResponse.HttpServerResponse,
  E | BadRequest,
  State | Caller | HttpServerRequest.HttpServerRequest
> {
  const { write } = yield* State
  const { accountId } = yield* Caller
  const request = yield* HttpServerRequest.HttpServerRequest
  const key = request.headers["idempotency-key"]
  if (key === undefined || key === "") return yield* write(change)
  if (key.length > longestKey) return yield* badRequest("idempotency-key", `is longer than ${longestKey}`)
  const named = `${request.method} ${request.url}`

  const keep = (tx: Transaction, status: number, body: unknown) =>
    tx.run("insert into idempotent_answers values (:accountId, :key, :named, :status, :body, :at)", {
      accountId,
      key,
      named,
      status,
      body: JSON.stringify(body),
      at: tx.at
    })
  const attempt = (tx: Transaction): Result.Result<Given<A>, E | BadRequest> =>
    Result.flatMap(findAnswer(tx, accountId, { key, named }), (row): Result.Result<Given<A>, E> => {
      if (row !== undefined) return Result.succeed({ row })
      return Result.map(change(tx), (answer) => {
        keep(tx, status, answer)
        return { answer }
      })
    })
  const keepError = ({ code, status, message, data }: Problem) =>
    write((tx) =>
      Result.map(findAnswer(tx, accountId, { key, named }), (row) => {
        if (row === undefined) keep(tx, status, { code, status, message, data })
      })
    ).pipe(Effect.ignore)
  const given = yield* Effect.tapError(write(attempt), (error) => (error.status < 500 ? keepError(error) : Effect.void))
  if ("answer" in given) return given.answer
  return HttpServerResponse.text(given.row.body, { status: given.row.status, contentType: "application/json" })
})
