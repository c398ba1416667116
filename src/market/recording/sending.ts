import { Effect } from "effect"

/** The path values, query and body of a request. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  readonly form?: FormData
  readonly key?: string
}

/** An answer with the keys that a later request repeats; an absent one fails the request that needs it. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered
type Answered = any

/** Sends a request and records its first use as the operation's example. */
export type Send = (method: string, template: string, sent?: Sent) => Effect.Effect<Answered>

export const withKey =
  (send: Send, key: string): Send =>
  (method, template, sent) =>
    send(method, template, { ...sent, key })

/** A sent request and its answer. */
export interface Exchange {
  /** Method and path template: `GET /v1/inventory/{inventoryId}`. */
  readonly operation: string
  readonly sent: Sent
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: Answered
}

const ask = async (origin: string, operation: string, sent: Sent): Promise<Exchange> => {
  const { body, form, key = "", params = {}, query = "" } = sent
  const [method = "", template = ""] = operation.split(" ")
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))) + query
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body))
  // @effect-diagnostics-next-line globalFetch:off -- sending a file needs a form that this code builds
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(content === undefined ? {} : { body: content })
  })
  const headers = Object.fromEntries(response.headers)
  return { operation, sent, path, status: response.status, headers, answer: await response.json() }
}

/** Sends a request and returns any answer. */
export const exchange = (origin: string, operation: string, sent: Sent = {}) =>
  Effect.promise(() => ask(origin, operation, sent))

/** Returns a sender that records exchanges. A refused request ends the recording. */
export const sendingTo =
  (origin: string, remember: (exchange: Exchange) => void): Send =>
  (method, template, sent) =>
    Effect.map(exchange(origin, `${method} ${template}`, sent), (exchanged) => {
      const { answer, path, status } = exchanged
      if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      remember(exchanged)
      return answer
    })
