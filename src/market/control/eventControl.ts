import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { MarketEvent } from "../contract/events/MarketEvent.ts"
import { State } from "../state/State.ts"
import { ControlApi } from "./ControlApi.ts"

interface EventRow {
  readonly number: number
  readonly account_id: string
  readonly body: string
}

const most = 1000

/** Lists the outbox, a thousand events at a time. */
export const eventControl = HttpApiBuilder.group(ControlApi, "controlEvents", (handlers) =>
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
