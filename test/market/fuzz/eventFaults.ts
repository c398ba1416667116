import { Effect } from "effect"
import { type AnswerDocument, answerFaults } from "../description/answerFault.ts"
import { ask } from "../Served.ts"

interface Listed {
  readonly data: ReadonlyArray<{ readonly number: number; readonly event: { readonly type: string } }>
}

/** Every event that was written so far, held against the webhooks of the description. */
export const eventFaults = Effect.gen(function* () {
  const document = (yield* ask("/openapi.json")).json as unknown as AnswerDocument
  const faults = answerFaults(document)
  const found: Array<string> = []
  const types = new Set<string>()
  for (let after = 0, more = true; more;) {
    const { data } = (yield* ask(`/sandbox/events?after=${after}`)).json as unknown as Listed
    for (const { event } of data) {
      const fault = faults.event(event.type, event)
      types.add(event.type)
      if (fault !== undefined) found.push(`${JSON.stringify(event)}: ${fault}`)
    }
    after = data.at(-1)?.number ?? after
    more = data.length > 0
  }
  return { faults: found, types: [...types].sort() }
})
