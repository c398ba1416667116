import { Effect } from "effect"
import type { Example } from "../../../src/market/description/describeApi.ts"
import { recordTour } from "../../../src/market/recording/recordTour.ts"
import { sendingTo } from "../../../src/market/recording/sending.ts"
import { makeReceiver } from "../events/Receiver.ts"
import { Served } from "../Served.ts"

const origin = "http://127.0.0.1:4610"

/** Sandbox and receiver have a free port each, and secrets are nobody's. */
const withFixedTimes = (text: string): string =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, origin)
    .replaceAll(/(cl_sandbox_)[0-9a-f]{32}/g, "$1...")
    .replaceAll(/"whsec_[^"]+"/g, '"whsec_..."')

/** One request to every operation and control route, as they were sent and answered, and an event of each type. */
export const recordExamples = Effect.gen(function* () {
  const { url } = yield* Served
  const examples: { marketplace: Record<string, Example>; control: Record<string, Example> } = {
    marketplace: {},
    control: {}
  }
  const send = sendingTo(url, ({ answer, operation, sent: { body, params = {} } }) => {
    const kept = operation.includes(" /sandbox") ? examples.control : examples.marketplace
    kept[operation] ??= {
      ...(Object.keys(params).length === 0 ? {} : { params }),
      ...(body === undefined ? {} : { body }),
      answer
    }
  })
  yield* recordTour(send, yield* makeReceiver)
  for (const { event } of (yield* send("GET", "/sandbox/events", { query: "?after=0" })).data) {
    examples.marketplace[event.type] ??= { body: event }
  }
  yield* send("POST", "/sandbox/reset", { body: {} })
  return JSON.parse(withFixedTimes(JSON.stringify(examples))) as typeof examples
}).pipe(Effect.scoped)
