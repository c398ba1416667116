import { Effect } from "effect"
import { html, type Html } from "../../desk/pages/html.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { clientRequests } from "../control/requestControl.ts"
import { RequestLog } from "../log/RequestLog.ts"
import { State, type Store } from "../state/State.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { callButton, callList, instant, live, rowsTable, words, type PageOf } from "./RoomPage.ts"
import { operationForm } from "./operationForm.ts"
import { eventTable, newestEvents } from "./eventsPage.ts"
import { requestTable } from "./requestPages.ts"

const shownRows = 10

const gameRow = ({ live: liveNow, rebuilt, stored }: LiveGame) => {
  const { game, deployments } = stored
  const gameId = game.id
  const place = liveNow()
  const rebuilds = rebuilt.of(place)
  return [
    html`${game.name} <code>${gameId}</code>`,
    [
      place + 1 < deployments.length &&
        callButton("Deploy", { method: "POST", path: "/sandbox/deploy", body: { gameId } }),
      callButton("Reprice", { method: "POST", path: "/sandbox/reprice", body: { gameId } })
    ],
    `${deployments[place]?.name ?? ""} (${place + 1} of ${deployments.length})`,
    rebuilds.length === 0 ? "as deployed" : html`rebuilt ${instant(textOfMillis(rebuilds.at(-1)?.at ?? 0))}`
  ]
}

const orderCounts = (store: Store): Html => {
  const counts = store.all<{ status: string; count: number }>(
    "select status, count(*) as count from orders group by status order by count desc, status"
  )
  return counts.length === 0
    ? html`<p class="empty">There are no orders. <code>POST /sandbox/checkout</code> pays for a cart.</p>`
    : html`<p class="switch">
        ${counts.map(
          ({ count, status }) => html`<a href="/sandbox/room/orders?status=${status}">${words(status)} ${count}</a>`
        )}
      </p>`
}

const clockCall = (seconds: number) => ({ method: "POST", path: "/sandbox/clock", body: { seconds } }) as const

/** Shows live deployments, the time, and the latest requests and events. */
export const marketPage: PageOf = Effect.fnUntraced(function* () {
  const { store } = yield* State
  const { games } = yield* LiveCatalogue
  const log = yield* RequestLog
  const body = html`${live(
      "games",
      rowsTable({
        caption: "Games",
        heads: ["game", "", "live deployment", "prices"],
        rows: [...games.values()].map(gameRow),
        empty: "There are no games."
      })
    )}
    <h2>Time</h2>
    ${callList([
      ["1 hour later", clockCall(3600)],
      ["1 day later", clockCall(86_400)],
      ["7 days later", clockCall(604_800)]
    ])}
    ${operationForm("advanceClock", { label: "Later", values: { seconds: 60 } })}
    <h2>Orders</h2>
    ${live("order-counts", orderCounts(store))}
    <h2>Requests</h2>
    ${live("requests", requestTable("The newest requests of clients", clientRequests(log, store, { limit: shownRows })))}
    <h2>Events</h2>
    ${live("events", eventTable("The newest events", newestEvents(store, { limit: shownRows })))}`
  return { title: "Market", says: "What is live, what time it is, and what happened last.", body }
})
