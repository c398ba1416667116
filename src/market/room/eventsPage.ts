import { cursorPage } from "../answers/cursorPage.ts"
import { Effect } from "effect"
import { choiceField, chooseForm } from "../../desk/pages/chooseForm.ts"
import { html, type Html } from "../../desk/pages/html.ts"
import { MarketEvent } from "../contract/events/MarketEvent.ts"
import { State, type Store } from "../state/State.ts"
import {
  accountFilter,
  live,
  pageRows,
  pager,
  type PageOf,
  readText,
  readNumber,
  instant,
  orderAddress,
  rowsTable
} from "./RoomPage.ts"

interface EventRow {
  readonly number: number
  readonly username: string
  readonly type: string
  readonly happened_at: string
  readonly order_number: string | null
  readonly body: string
}

interface EventFilter {
  readonly before?: number | undefined
  readonly type?: string | undefined
  readonly accountId?: string | undefined
  readonly limit: number
}

/** Only requested conditions are included, so that SQLite uses an index for each. */
const select = (conditions: ReadonlyArray<string>): string => `
select number, username, type, happened_at, body,
  coalesce(body ->> '$.data.orderNumber', body ->> '$.data.context.orderNumber') as order_number
from events join accounts on accounts.id = account_id
where ${["number < :before", ...conditions].join(" and ")}
order by number desc limit :limit`

/** Returns events, newest first. */
export const newestEvents = (
  store: Store,
  { accountId, before = Number.MAX_SAFE_INTEGER, limit, type }: EventFilter
): ReadonlyArray<EventRow> => {
  const chosen = Object.entries({ type, account_id: accountId }).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const]
  )
  const values = { before, limit, ...Object.fromEntries(chosen) }
  return store.all<EventRow>(select(chosen.map(([column]) => `${column} = :${column}`)), values)
}

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

const types = MarketEvent.members.map(({ fields }) => fields.type.literal)

/** Shows all events, including those without a receiver. */
export const eventsPage: PageOf = Effect.fnUntraced(function* (request) {
  const { store } = yield* State
  const type = readText(request, "type")
  const accountId = readText(request, "account")
  const before = yield* readNumber(request, "before")
  const found = newestEvents(store, { type, accountId, before, limit: pageRows + 1 })
  const { next, shown } = cursorPage(found, pageRows, ({ number }) => String(number))
  const form = chooseForm(request.path, [
    choiceField("type", "Type", type ?? "", [["", "all"], ...types]),
    accountFilter(store, accountId ?? "")
  ])
  return {
    title: "Events",
    says: "Events as they were written, whether or not anybody receives them.",
    body: html`${form}${live("events", [
      eventTable("Events, newest first", shown),
      pager(request.path, request.query, ["before", next])
    ])}`
  }
})
