import { html, type Html } from "../../pages/html.ts"
import type { Store } from "../state/Store.ts"
import { instant, orderAddress, rowsTable } from "./parts.ts"

interface EventRow {
  readonly number: number
  readonly username: string
  readonly type: string
  readonly happened_at: string
  readonly order_number: string | null
  readonly body: string
}

interface WantedEvents {
  readonly before?: number
  readonly type?: string | undefined
  readonly accountId?: string | undefined
  readonly limit: number
}

const select = `
select number, username, type, happened_at, body,
  coalesce(body ->> '$.data.orderNumber', body ->> '$.data.context.orderNumber') as order_number
from events join accounts on accounts.id = account_id
where number < :before and (:type is null or type = :type) and (:accountId is null or account_id = :accountId)
order by number desc limit :limit`

/** Events, newest first. */
export const newestEvents = (
  store: Store,
  { accountId, before = Number.MAX_SAFE_INTEGER, limit, type }: WantedEvents
): ReadonlyArray<EventRow> =>
  store.all<EventRow>(select, { before, type: type ?? null, accountId: accountId ?? null, limit })

export const eventTable = (caption: string, events: ReadonlyArray<EventRow>): Html =>
  rowsTable({
    caption,
    heads: ["number", "at", "type", "account", "order", "body"],
    rows: events.map(({ body, happened_at, number, order_number, type, username }) => [
      number,
      instant(happened_at),
      type,
      username,
      order_number !== null && html`<a href="${orderAddress(order_number)}">${order_number}</a>`,
      html`<details id="event-${number}">
        <summary>show</summary>
        <pre tabindex="0">${JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </details>`
    ]),
    empty: "Nothing has happened yet: sales, changed stock and messages make events."
  })
