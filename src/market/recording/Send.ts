import type { Effect } from "effect"

/** A request to send: values of the path, and what goes with it. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
  readonly form?: FormData
  readonly key?: string
}

/** An answer with the keys that a later request repeats; an absent one fails the request that needs it. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered
export type Answered = any

/** Sends a request and remembers it as the example of its operation, the first time. */
export type Send = (method: string, template: string, sent?: Sent) => Effect.Effect<Answered>
