import { cursorPage } from "../answers/cursorPage.ts"
import { Effect } from "effect"
import { missing } from "../answers/refusals.ts"
import { choiceField, chooseForm } from "../../desk/pages/chooseForm.ts"
import { html, type Html, type Shown, factList } from "../../desk/pages/html.ts"
import { clientRequests, requestDetail, type ClientRequest } from "../control/requestControl.ts"
import { type ShownBody, RequestLog } from "../log/RequestLog.ts"
import { State } from "../state/State.ts"
import { instant, live, pageRows, pager, type PageOf, readText, readNumber, rowsTable } from "./RoomPage.ts"

/** Renders how a request ended. */
const outcome = ({ millis, status }: ClientRequest): Shown => {
  if (status === null) return millis === null ? "…" : html`<b class="bad">cut</b>`
  return status < 400 ? status : html`<b class="bad">${status}</b>`
}

/** Returns a key's last letters and account. */
const keyText = ({ account, key }: ClientRequest): string =>
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
    empty: html`No client has sent a request yet. Send one with a key:
      <code>curl -H 'Authorization: Bearer KEY' …/v1/games</code>`
  })

/** Shows client requests, newest first. */
export const requestsPage: PageOf = Effect.fnUntraced(function* (page) {
  const { store } = yield* State
  const failed = readText(page, "show") === "failed"
  const before = yield* readNumber(page, "before")
  const found = clientRequests(yield* RequestLog, store, { before, failed, limit: pageRows + 1 })
  const { next, shown } = cursorPage(found, pageRows, ({ number }) => String(number))
  const form = chooseForm(page.path, [
    choiceField("show", "Requests", failed ? "failed" : "", [
      ["", "all"],
      ["failed", "refused, failed or cut"]
    ])
  ])
  return {
    title: "Requests",
    says: "The last 1,000 requests of clients. Those of this page and of control routes are not among them.",
    body: html`${form}${live("requests", [
      requestTable("Requests of clients, newest first", shown),
      pager(page.path, page.query, ["before", next])
    ])}`
  }
})

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const bodyPart = (title: string, body: ShownBody | null, none: string): Html => {
  const text: Shown =
    body === null
      ? none
      : body.bytes === null
        ? "It was sent piece by piece and is not kept."
        : `${body.bytes} bytes on the wire.${body.isCut ? " Only the beginning is kept." : ""}`
  return html`<h2>${title}</h2>
    <p class="says">${text}</p>
    ${body !== null && body.text !== "" && html`<pre tabindex="0">${body.isCut ? body.text : indented(body.text)}</pre>`}`
}

/** Shows one request with both bodies. */
export const requestPage: PageOf = Effect.fnUntraced(function* ({ item }) {
  const number = Number(item)
  if (!Number.isSafeInteger(number) || number < 1) return yield* missing(`${item} is no number of a request`)
  const request = yield* requestDetail(number)
  const facts = factList([
    ["Status", outcome(request)],
    ["At", instant(request.at)],
    ["Took", request.millis !== null && `${request.millis} ms`],
    ["Key", keyText(request)],
    ["Id", request.requestId !== null && html`<code>${request.requestId}</code>`]
  ])
  return {
    title: `${request.method} ${request.path}`,
    says: `Request ${number}`,
    body: live("request", [
      facts,
      bodyPart("Body", request.body, "There is none, or nobody read it."),
      bodyPart("Answer", request.answer, "There is none.")
    ])
  }
})
