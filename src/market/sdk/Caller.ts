import { attempt, type Outgoing, unreadable } from "./attempt.ts"
import { baseAddress, filledPath, queryText } from "./address.ts"
import { type ClientOptions, fetchOf, policyOf, type RequestOptions } from "./ClientOptions.ts"
import { type ItemOf, type List, listOf, type Position } from "./List.ts"
import { makeRateGate } from "./RateGate.ts"
import { formOf } from "./formOf.ts"
import { type Operation, operations } from "./operations.ts"
import type { Operations } from "./wire.ts"
import { type Outcome, withRetries } from "./withRetries.ts"

type Answer<Id extends keyof Operations> = Operations[Id]["answer"]

/** What an operation is sent: ids of its path, a query, a body. */
export type Sent<Id extends keyof Operations> = Omit<Operations[Id], "answer">

/** Sends requests; the key is nowhere but in here. */
export interface Caller {
  readonly call: <Id extends keyof Operations>(
    id: Id,
    sent: Sent<Id>,
    options: RequestOptions | undefined
  ) => Promise<Answer<Id>>
  readonly list: <Id extends keyof Operations>(
    id: Id,
    sent: Sent<Id>,
    options: RequestOptions | undefined
  ) => List<ItemOf<Answer<Id>>, Answer<Id>>
}

interface Parts {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

const isSecretText = /^[\x21-\x7e]+$/

/** A `DELETE` says that it has no body in JSON, as the service's own client does. */
const jsonOf = ({ method }: Operation, body: Parts["body"]): string | undefined =>
  body === undefined && method !== "DELETE" ? undefined : JSON.stringify(body ?? {})

const bodyOf = async (operation: Operation, body: Parts["body"]): Promise<string | FormData | undefined> =>
  operation.isForm === true ? await formOf(body ?? {}) : jsonOf(operation, body)

/** A list's place in its query, or in the body of a search. */
const withPosition = (sent: Parts, at: Position): Parts => {
  if (at === undefined) return sent
  return sent.body === undefined
    ? { ...sent, query: { ...sent.query, ...at } }
    : { ...sent, body: { ...sent.body, ...at } }
}

export const makeCaller = (client: ClientOptions): Caller => {
  const { key } = client
  const base = baseAddress(client.url)
  if (typeof key !== "string" || !isSecretText.test(key)) {
    throw new TypeError("`key` is not an API key: it is empty, or has a blank or another character that no key has")
  }
  const gate = makeRateGate()
  const scrub = (text: string) => text.replaceAll(key, "<key>")

  const outgoing = async (operation: Operation, sent: Parts, idempotencyKey?: string): Promise<Outgoing> => {
    const address = base + filledPath(operation.path, sent.path ?? {}) + queryText(sent.query ?? {})
    const body = await bodyOf(operation, sent.body)
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      ...(operation.isKeyed === true ? { "idempotency-key": idempotencyKey ?? crypto.randomUUID() } : {})
    }
    return { method: operation.method, address, headers, body, scrub }
  }

  const send = async (id: keyof Operations, sent: Parts, options: RequestOptions = {}): Promise<unknown> => {
    const policy = policyOf(client, options)
    const request = await outgoing(operations[id], sent, options.idempotencyKey)
    const read = async (response: Response): Promise<Outcome<unknown>> => {
      const text = await response.text()
      try {
        return { answer: JSON.parse(text) }
      } catch {
        return unreadable(response, request)
      }
    }
    const noting = async (address: string, init?: never) => {
      const response = (await fetchOf(client)(address, init)) as Response
      const [limit, remaining] = ["limit", "remaining"].map((name) => response.headers.get(`x-ratelimit-${name}`))
      if (limit != null && remaining != null) gate.note(Number(limit), Number(remaining))
      return response
    }
    return await withRetries(() => attempt(request, policy, { fetch: noting, read }), policy, gate)
  }
  return {
    call: (id, sent, options) => send(id, sent, options) as never,
    list: (id, sent, options) => listOf((at) => send(id, withPosition(sent, at), options) as never)
  }
}
