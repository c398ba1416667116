import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** The address that the client used, for links in answers: `http://127.0.0.1:4600`. */
export const originOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => `http://${headers["host"] ?? "127.0.0.1"}`
)
