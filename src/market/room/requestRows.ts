import { html, type Html, type Shown } from "../../desk/pages/html.ts"
import type { ClientRequest } from "../control/requestControl.ts"
import { instant, rowsTable } from "./RoomPage.ts"

/** How a request ended. */
export const outcome = ({ millis, status }: ClientRequest): Shown => {
  if (status === null) return millis === null ? "…" : html`<b class="bad">cut</b>`
  return status < 400 ? status : html`<b class="bad">${status}</b>`
}

/** Whose key it came with; a key is never shown whole. */
export const keyText = ({ account, key }: ClientRequest): string =>
  key === null ? "none" : `${account ?? "unknown"}${key === "" ? "" : ` …${key}`}`

export const requestTable = (caption: string, requests: ReadonlyArray<ClientRequest>): Html =>
  rowsTable({
    caption,
    heads: ["number", "at", "request", "status", "ms", "key", "id"],
    rows: requests.map((request) => [
      html`<a href="/sandbox/room/requests/${request.number}">${request.number}</a>`,
      instant(request.at),
      html`<code>${request.method} ${request.path}</code>`,
      outcome(request),
      request.millis,
      keyText(request),
      html`<code>${request.requestId}</code>`
    ]),
    empty: html`No client has asked for anything yet. Ask with a key:
      <code>curl -H 'Authorization: Bearer KEY' …/v1/games</code>`
  })
