import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { senderOf } from "../../feed/guard/senderOf.ts"

import { envelopeAnswer } from "./answerRules.ts"

type Answer = HttpServerResponse.HttpServerResponse

/**
 * Answers requests under this machine's own names and those `allowed`, and refuses any other before anything counts it;
 * `withRules` gives the refusal what every answer has.
 */
export const guardHost = (
  allowed: ReadonlyArray<string>,
  withRules: (refused: Effect.Effect<Answer>) => Effect.Effect<Answer, never, HttpServerRequest.HttpServerRequest>
) => {
  const faultOf = hostFault(allowed)
  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const message = faultOf(yield* HttpServerRequest.HttpServerRequest)
      if (message === null) return yield* app
      return yield* withRules(Effect.succeed(envelopeAnswer(403, { code: "HOST_NOT_ALLOWED", message })))
    })
}

const foreignPage = envelopeAnswer(403, {
  code: "FOREIGN_PAGE",
  message:
    "A page of another site cannot use the control routes. Type the address yourself, or ask from a program or the control room"
})

/** No other site may load, embed or guess the type of an answer. */
const headers = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" }

/** Routes that have no key are for programs, for the person at this machine, and for the sandbox's own page. */
export const ownPages = HttpRouter.middleware((app) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    senderOf(request) === "other page"
      ? Effect.succeed(foreignPage)
      : Effect.map(app, HttpServerResponse.setHeaders(headers))
  )
).layer
