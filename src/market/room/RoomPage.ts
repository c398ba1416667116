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

/** What a browser asked for. */
export interface AskedPage {
  readonly path: string
  /** What the path has for the `:name` of its address; "" if it has none. */
  readonly item: string
  readonly query: URLSearchParams
}

/** A page without its frame. */
export interface RoomPage {
  readonly title: string
  readonly says: string
  readonly body: Html
}

/** Makes a page from what the sandbox has now. */
export type PageOf = (
  asked: AskedPage
) => Effect.Effect<RoomPage, NotFound | BadRequest, State | MarketClock | LiveCatalogue | RequestLog | Faults>

/** A parameter of the address; undefined if it is missing or empty. */
export const wanted = ({ query }: AskedPage, name: string): string | undefined => query.get(name) || undefined

/** A whole number of the address; undefined if it is missing or empty. */
export const wantedNumber = (asked: AskedPage, name: string): Effect.Effect<number | undefined, BadRequest> => {
  const text = wanted(asked, name)
  return text === undefined || /^\d{1,15}$/.test(text)
    ? Effect.succeed(text === undefined ? undefined : Number(text))
    : Effect.fail(badRequest(name, `${text} is not a whole number`))
}

/** A part of a page that `room.js` replaces when the sandbox shows something else there. */
export const live = (id: string, content: Shown): Html => html`<div id="${id}" data-live tabindex="-1">${content}</div>`

interface Rows {
  readonly caption: string
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Shown>>
  /** Shown if there are no rows: says what would be here, and how to have it. */
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

/** Rows of a page of a list. */
export const pageRows = 50

/** The links to the first page and to what comes after this one's last row; `place` null = this is the end. */
export const pager = (path: string, query: URLSearchParams, [name, place]: readonly [string, string | null]): Html => {
  const addressOf = (value: string | null) => {
    const next = new URLSearchParams(query)
    if (value === null) next.delete(name)
    else next.set(name, value)
    return next.size === 0 ? path : `${path}?${next}`
  }
  return html`<nav class="pager" aria-label="Pages of the list">
    ${query.has(name) && html`<a href="${addressOf(null)}">← First page</a>`}
    ${place !== null && html`<a rel="next" href="${addressOf(place)}">Next →</a>`}
  </nav>`
}

/** An instant to the second. */
export const instant = (at: string | null): Shown =>
  at === null ? "" : html`<time datetime="${at}">${at.slice(0, 19).replace("T", " ")}</time>`

/** A status or a type as people read it. */
export const words = (name: string): string => name.replaceAll("_", " ")

export const money = ({ amount, currency }: Money): string => `${amount.toFixed(2)} ${currency}`

export const orderAddress = (orderNumber: string): string => `/sandbox/room/orders/${encodeURIComponent(orderNumber)}`

/** More would make a list that nobody reads. */
const maxChoices = 1000

const traders = `
select id, username from accounts where id not in (select account_id from invented_sellers) order by username limit :maxChoices`

/** The accounts to choose from. */
export const accountOptions = (store: Store) =>
  store
    .all<{ id: string; username: string }>(traders, { maxChoices })
    .map(({ id, username }) => [id, username] as const)

/** A field of a list's filters that chooses one of the accounts. */
export const accountFilter = (store: Store, value = "") =>
  choiceField("account", "Account", value, [["", "all"], ...accountOptions(store)])

/** What an account is called. */
export const nameOf = (store: Store, accountId: string): string =>
  store.one<{ username: string }>("select username from accounts where id = :accountId", { accountId })?.username ??
  accountId

/** A request to a control route. */
export interface Call {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
}

/** As a person would write it down. */
const callText = ({ body, method, path }: Call): string =>
  `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`

/** A button that sends a call; `room.js` does it and says what came back. */
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

/** Buttons below each other, each with what it calls. */
export const callList = (calls: ReadonlyArray<readonly [label: string, call: Call]>): Html =>
  html`<ul class="calls">
    ${calls.map(([label, call]) => html`<li>${callButton(label, call)} <code>${callText(call)}</code></li>`)}
  </ul>`

/** Where a form leads without scripts. */
export const needsScripts = "/sandbox/room/scripts"
