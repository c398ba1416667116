import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../contract/Errors.ts"
import { shownBody } from "../log/LoggedBody.ts"
import { RequestLog } from "../log/RequestLog.ts"
import { State } from "../state/State.ts"
import { clientRequest, clientRequests } from "./clientRequests.ts"
import { ControlApi } from "./ControlApi.ts"

const shownByDefault = 100

/** A request with the bodies. Fails with NOT_FOUND if it was dropped, or never came. */
export const requestDetail = Effect.fnUntraced(function* (number: number) {
  const { store } = yield* State
  const request = (yield* RequestLog).find(number)
  if (request === undefined) {
    const message = `No request has the number ${number}; the last 1,000 are kept`
    return yield* new NotFound({ code: "NOT_FOUND", status: 404, message, data: {} })
  }
  const { answer, body } = request
  return {
    ...clientRequest(store, request),
    body: body === null ? null : shownBody(body),
    answer: answer === null ? null : shownBody(answer)
  }
})

/** Shows what clients asked. */
export const requestControl = HttpApiBuilder.group(ControlApi, "controlRequests", (handlers) =>
  handlers
    .handle("requests", ({ query: { before, failed, limit = shownByDefault } }) =>
      Effect.gen(function* () {
        const { store } = yield* State
        return { data: clientRequests(yield* RequestLog, store, { before, failed: failed === "true", limit }) }
      })
    )
    .handle("request", ({ params: { number } }) => requestDetail(number))
)
