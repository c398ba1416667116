import { Effect } from "effect"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import { type Html, html, type Shown, tableBox, exactly } from "../../desk/pages/html.ts"
import { badRequest } from "../answers/refusals.ts"
import type { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import type { Faults } from "../faults/Faults.ts"
import type { RequestLog } from "../log/RequestLog.ts"
import type { MarketClock } from "../state/MarketClock.ts"
import type { State, Store } from "../state/State.ts"
import type { Money } from "../contract/Money.ts"
import { choiceField } from "../../desk/pages/chooseForm.ts"

/** A browser's request. */
export interface PageRequest {
  readonly path: string
  /** The value of the path's `:name`; "" if there is none. */
  readonly item: string
  readonly query: URLSearchParams
}

export interface RoomPage {
  readonly title: string
  readonly says: string
  readonly body: Html
}

/** Renders a page from the current state. */
export type PageOf = (
  request: PageRequest
) => Effect.Effect<RoomPage, NotFound | BadRequest, State | MarketClock | LiveCatalogue | RequestLog | Faults>

/** Returns a query parameter; undefined if it is missing or empty. */
export const readText = ({ query }: PageRequest, name: string): string | undefined => query.get(name) || undefined

/** Returns an integer query parameter; undefined if it is missing or empty. */
export const readNumber = (request: PageRequest, name: string): Effect.Effect<number | undefined, BadRequest> => {
  const text = readText(request, name)
  return text === undefined || /^\d{1,15}$/.test(text)
    ? Effect.succeed(text === undefined ? undefined : Number(text))
    : Effect.fail(badRequest(name, `${text} is not a whole number`))
}

/** Wraps a part of a page that `room.js` updates when its content changes. */
export const live = (id: string, content: Shown): Html => html`<div id="${id}" data-live tabindex="-1">${content}</div>`

interface Rows {
  readonly caption: string
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Shown>>
  /** Shown if there are no rows: describes the rows and how to create them. */
  readonly empty: Shown
}

export const rowsTable = ({ caption, empty, heads, rows }: Rows): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : tableBox({
        caption,
        heads: heads.map((head) => html`<th scope="col">${head}</th>`),
        rows: rows.map((cells) => cells.map((cell) => html`<td>${cell}</td>`))
      })

/** Rows per page. */
export const pageRows = 50

/** Renders links to the first page and to the rows after this page; `place` is null at the end. */
export const pager = (path: string, query: URLSearchParams, [name, place]: readonly [string, string | null]): Html => {
  const formatAddress = (value: string | null) => {
    const next = new URLSearchParams(query)
    if (value === null) next.delete(name)
    else next.set(name, value)
    return next.size === 0 ? path : `${path}?${next}`
  }
  return html`<nav class="pager" aria-label="Pages of the list">
    ${query.has(name) && html`<a href="${formatAddress(null)}">← First page</a>`}
    ${place !== null && html`<a rel="next" href="${formatAddress(place)}">Next →</a>`}
  </nav>`
}

/** Renders an instant to the second. */
export const instant = (at: string | null): Shown =>
  at === null ? "" : html`<time datetime="${at}">${at.slice(0, 19).replace("T", " ")}</time>`

/** Returns a status or type in readable form. */
export const words = (name: string): string => name.replaceAll("_", " ")

export const money = ({ amount, currency }: Money): string => `${amount.toFixed(2)} ${currency}`

export const orderAddress = (orderNumber: string): string => `/sandbox/room/orders/${encodeURIComponent(orderNumber)}`

/** Maximum number of choices in a list. */
const maxChoices = 1000

const traders = `
select id, username from accounts where id not in (select account_id from invented_sellers) order by username limit :maxChoices`

/** Returns the accounts as choices. */
export const accountOptions = (store: Store) =>
  store
    .all<{ id: string; username: string }>(traders, { maxChoices })
    .map(({ id, username }) => [id, username] as const)

/** Renders a filter field for an account. */
export const accountFilter = (store: Store, value = "") =>
  choiceField("account", "Account", value, [["", "all"], ...accountOptions(store)])

/** Returns the name of an account. */
export const findUsername = (store: Store, accountId: string): string =>
  store.one<{ username: string }>("select username from accounts where id = :accountId", { accountId })?.username ??
  accountId

export interface Call {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
}

/** Returns a call as readable text. */
const callText = ({ body, method, path }: Call): string =>
  `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`

/** Renders a button that sends a call. `room.js` shows the result. */
export const callButton = (label: string, call: Call): Html =>
  html`<button
    type="button"
    data-method="${call.method}"
    data-path="${call.path}"
    data-body="${exactly(call.body === undefined ? "" : JSON.stringify(call.body))}"
    title="${callText(call)}"
  >
    ${label}
  </button>`

/** Renders a column of buttons with their calls. */
export const callList = (calls: ReadonlyArray<readonly [label: string, call: Call]>): Html =>
  html`<ul class="calls">
    ${calls.map(([label, call]) => html`<li>${callButton(label, call)} <code>${callText(call)}</code></li>`)}
  </ul>`

/** The target of forms in browsers without scripts. */
export const needsScripts = "/sandbox/room/scripts"
