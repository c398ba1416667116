import { route } from "../contract/operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { Count, Instant } from "../../contract/Catalogue.ts"

/** A request of a client. `key` is the last letters of its key, `account` whose it is; null: without one, nobody's. */
const ClientRequest = Schema.Struct({
  number: Schema.Int,
  at: Instant,
  method: Schema.String,
  path: Schema.String,
  status: Schema.NullOr(Schema.Int),
  millis: Schema.NullOr(Schema.Finite),
  requestId: Schema.NullOr(Schema.String),
  account: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String)
}).annotate({
  title: "ClientRequest",
  description:
    "`key` is the last letters of the key, `account` whose it is. `status` is null before the answer, and if the connection was cut."
})
export type ClientRequest = typeof ClientRequest.Type

const Body = Schema.NullOr(
  Schema.Struct({ text: Schema.String, bytes: Schema.NullOr(Count), isCut: Schema.Boolean }).annotate({
    title: "LoggedBody",
    description: "`text` is the beginning, unpacked; `bytes` all that was on the wire, null if it came in pieces."
  })
)

const ClientRequestDetail = Schema.Struct({ ...ClientRequest.fields, body: Body, answer: Body }).annotate({
  title: "ClientRequestDetail",
  description: "`body` is null if there is none, or nobody read it."
})

const number = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** What clients asked: not what control routes and pages were. */
export const requestRoutes = HttpApiGroup.make("controlRequests").add(
  route(
    "GET",
    "requests",
    "/sandbox/requests",
    "The last 1,000 requests of clients, newest first; `failed`: those that were refused or cut",
    {
      query: {
        /** Only those with a smaller number. */
        before: Schema.optionalKey(number),
        failed: Schema.optionalKey(Schema.Literals(["true", "false"])),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
      },
      success: Schema.Struct({ data: Schema.Array(ClientRequest) })
    }
  ),
  route("GET", "request", "/sandbox/requests/:number", "A request with its body and its answer's; long ones are cut", {
    params: { number },
    success: ClientRequestDetail
  })
)
