import { cursorPage } from "../answers/cursorPage.ts"
import { Effect } from "effect"
import { html, type Html, type Shown } from "../../desk/pages/html.ts"
import { type Endpoint, listEndpoints } from "../events/endpoints.ts"
import { listDeliveries } from "../events/webhookControl.ts"
import { State, type Store } from "../state/State.ts"
import {
  findUsername,
  instant,
  live,
  pageRows,
  pager,
  rowsTable,
  type PageOf,
  readText,
  callButton
} from "./RoomPage.ts"
import { knownChoices, operationForm } from "./operationForm.ts"

const endpointRow = (
  store: Store,
  { accountId, disabledAt, failingSince, id, url }: Endpoint
): ReadonlyArray<Shown> => {
  const path = `/sandbox/webhooks/${id}`
  const isOn = disabledAt === null
  return [
    findUsername(store, accountId),
    html`<code>${url}</code>`,
    isOn ? "on" : html`off since ${instant(disabledAt)}`,
    instant(failingSince),
    [
      isOn && callButton("Send a test", { method: "POST", path: `${path}/test` }),
      callButton(isOn ? "Switch off" : "Switch on", { method: "PATCH", path, body: { enabled: !isOn } }),
      callButton("Remove", { method: "DELETE", path })
    ]
  ]
}

const deliveries = (
  store: Store,
  before: string | undefined
): { readonly table: Html; readonly next: string | null } => {
  const found = listDeliveries(store, { before, limit: pageRows + 1 })
  const { next, shown } = cursorPage(found, pageRows, ({ id }) => id)
  const addresses = new Map(listEndpoints(store).map(({ id, url }) => [id, url]))
  const table = rowsTable({
    caption: "Deliveries, newest first",
    heads: ["event", "type", "endpoint", "state", "attempts", "next attempt", ""],
    rows: shown.map(({ attempts, endpointId, eventId, id, nextAttemptAt, state, type }) => [
      html`<code>${eventId}</code>`,
      type,
      html`<code>${addresses.get(endpointId)}</code>`,
      state === "failed" ? html`<b class="bad">failed</b>` : state,
      attempts.map(
        ({ attemptedAt, error, status }) => html`<div>${instant(attemptedAt)} ${status ?? error ?? "no answer"}</div>`
      ),
      instant(nextAttemptAt),
      callButton("Replay", { method: "POST", path: `/sandbox/deliveries/${id}/replay` })
    ]),
    empty: "Nothing was delivered yet. Add an endpoint, and send it a test."
  })
  return { table, next }
}

/** Shows endpoints and their deliveries. */
export const webhooksPage: PageOf = Effect.fnUntraced(function* (request) {
  const { store } = yield* State
  const { next, table } = deliveries(store, readText(request, "before"))
  return {
    title: "Webhooks",
    says: "Events of an account go to its endpoints, signed. A test tells one of them the balance as it is.",
    body: html`${operationForm("createEndpoint", { label: "Add an endpoint", choices: yield* knownChoices })}
      ${live(
        "endpoints",
        rowsTable({
          caption: "Endpoints",
          heads: ["account", "address", "state", "failing since", ""],
          rows: listEndpoints(store).map((endpoint) => endpointRow(store, endpoint)),
          empty: "There are no endpoints. Add one above; its secret is shown once."
        })
      )}
      <h2>Deliveries</h2>
      ${live("deliveries", [table, pager(request.path, request.query, ["before", next])])}`
  }
})
