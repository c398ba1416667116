import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { MarketEvent } from "../contract/events/MarketEvent.ts"
import { State } from "../state/State.ts"

/** All events, oldest first, including those without a receiver. */
export const eventRoutes = HttpApiGroup.make("controlEvents").add(
  route(
    "GET",
    "events",
    "/sandbox/events",
    "Events as they were written, oldest first, whether or not anybody receives them",
    {
      query: {
        accountId: Schema.optionalKey(Schema.String),
        after: Schema.optionalKey(Schema.Int.annotate({ description: "Only those with a greater number." }))
      },
      success: Schema.Struct({
        data: Schema.Array(Schema.Struct({ number: Schema.Int, accountId: Schema.String, event: MarketEvent }))
      })
    }
  )
)

interface EventRow {
  readonly number: number
  readonly account_id: string
  readonly body: string
}

const most = 1000

/** Lists the outbox, up to 1,000 events per page. */
export const eventControl = controlHandlers(eventRoutes, (handlers) =>
  handlers.handle("events", ({ query: { accountId = null, after = 0 } }) =>
    Effect.map(State, ({ store }) => ({
      data: store
        .all<EventRow>(
          `select number, account_id, body from events
           where number > :after and (:accountId is null or account_id = :accountId) order by number limit :most`,
          { accountId, after, most }
        )
        .map(({ number, account_id, body }) => ({
          number,
          accountId: account_id,
          event: JSON.parse(body) as MarketEvent
        }))
    }))
  )
)
