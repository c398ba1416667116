import { Effect, type Scope } from "effect"
import { Webhook } from "standardwebhooks"
import { type Received as Delivery, startReceiver } from "../facts/world/receiver.ts"

/** What came in: a verified new event, one that came before, or nothing that the sender signed. */
export interface Received extends Delivery {
  readonly verdict: "new" | "again" | "refused"
}

/** A webhook receiver as developers write it: the published library, and the ids it has seen. */
export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** The secret that it verifies with. */
  readonly trust: (secret: string) => void
  /** What it answers to the next requests, in this order; afterwards 200. `hang` never answers. */
  readonly answerWith: (answers: ReadonlyArray<number | "hang">) => void
}

export const makeReceiver: Effect.Effect<Receiver, never, Scope.Scope> = Effect.gen(function* () {
  const received: Array<Received> = []
  const seen = new Set<string>()
  let webhook: Webhook | undefined
  let answers: Array<number | "hang"> = []
  const isSigned = ({ body, headers }: Delivery) => {
    try {
      return webhook?.verify(body, headers) !== undefined
    } catch {
      return false
    }
  }
  const judge = (delivery: Delivery) => {
    const id = delivery.headers["webhook-id"] ?? ""
    const verdict = isSigned(delivery) ? (seen.has(id) ? "again" : "new") : "refused"
    received.push({ ...delivery, verdict })
    const answer = verdict === "refused" ? 400 : (answers.shift() ?? 200)
    if (answer === "hang") return 0
    if (answer < 300) seen.add(id)
    return answer
  }
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => startReceiver(judge)),
    ({ stop }) => Effect.sync(stop)
  )
  return {
    url,
    received,
    trust: (secret) => void (webhook = new Webhook(secret)),
    answerWith: (next) => void (answers = [...next])
  }
})
