import { Effect } from "effect"
import type { Example } from "../../../src/market/description/examples.ts"
import { makeReceiver } from "../events/Receiver.ts"
import { Served } from "../Served.ts"
import type { Answered, Send } from "./Send.ts"
import { recordControl } from "./recordControl.ts"
import { recordSelling } from "./recordSelling.ts"
import { recordTrade } from "./recordTrade.ts"
import { recordReading } from "./recordReading.ts"

const origin = "http://127.0.0.1:4610"

/** Sandbox and receiver have a free port each, and secrets are nobody's. */
const told = (text: string): string =>
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
  const send: Send = (method, template, { body, form, key = "", params = {}, query = "" } = {}) =>
    Effect.promise(async () => {
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const sent = form ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await fetch(url + path + query, {
        method,
        headers: {
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(sent === undefined ? {} : { body: sent })
      })
      const answer: Answered = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      const kept = template.startsWith("/sandbox") ? examples.control : examples.marketplace
      kept[`${method} ${template}`] ??= {
        ...(Object.keys(params).length === 0 ? {} : { params }),
        ...(body === undefined ? {} : { body }),
        answer
      }
      return answer
    })
  const receiver = yield* makeReceiver
  const market = yield* recordControl(send, receiver)
  yield* recordReading(send, market.seller)
  yield* recordSelling(send, market.seller)
  yield* recordTrade(send, market)
  for (const { event } of (yield* send("GET", "/sandbox/events", { query: "?after=0" })).data) {
    examples.marketplace[event.type] ??= { body: event }
  }
  return JSON.parse(told(JSON.stringify(examples))) as typeof examples
}).pipe(Effect.scoped)
