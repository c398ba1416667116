import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { html, pageHead } from "../../desk/pages/html.ts"
import { pageStyles } from "../../desk/pages/everyPage.ts"
import { sandboxFile, sandboxHeaders, sandboxPage } from "../answers/sandboxPage.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { accountsPage } from "./accountsPage.ts"
import { needsScripts, instant, live, type PageOf, type RoomPage } from "./RoomPage.ts"
import { eventsPage } from "./eventsPage.ts"
import { faultsPage } from "./faultsPage.ts"
import { callsPage } from "./operationForm.ts"
import { marketPage } from "./marketPage.ts"
import { orderPage } from "./orderPage.ts"
import { ordersPage } from "./ordersPage.ts"
import { requestPage, requestsPage } from "./requestPages.ts"
import { tablesPage } from "./tablesPage.ts"
import { webhooksPage } from "./webhooksPage.ts"

/** The target of forms in browsers without scripts. */
const scriptsPage: PageOf = () =>
  Effect.succeed({
    title: "This needs scripts",
    says: "Nothing was sent.",
    body: html`<p class="empty">
      Forms and buttons send JSON to the control routes, which a browser only does with scripts. Allow them for this
      address, or send the call that is named beside the button: <a href="/docs">every call with an example</a>.
    </p>`
  })

const frame = (path: string, now: string, { body, says, title }: RoomPage): string =>
  sandboxPage({
    title,
    path,
    styles: "/sandbox/room.css",
    script: "/sandbox/room.js",
    aside: html`${live("now", html`Its time is ${instant(now)}`)}
      <button type="button" id="pause" aria-pressed="false" hidden>Pause refreshing</button>`,
    body: html`${pageHead("Sandbox", title, says)}
      <noscript>
        <p class="note">
          Lists, filters and links work without scripts. Buttons, forms and refreshing need them: allow scripts for this
          address, or send the calls that are named here with curl.
        </p>
      </noscript>
      <div id="message" role="status"></div>
      ${body}`
  })

const refused = (status: number, message: string): RoomPage => ({
  title: status === 404 ? "Not found" : "Not understood",
  says: "",
  body: html`<p class="empty">${message}. <a href="/sandbox">Market</a></p>`
})

const page = (address: `/${string}`, pageOf: PageOf) =>
  HttpRouter.add(
    "GET",
    address,
    Effect.fnUntraced(function* (request) {
      const { nowText } = yield* MarketClock
      const { item = "" } = yield* HttpRouter.params
      const { pathname, searchParams } = new URL(request.url, "http://sandbox")
      const answer = (status: number, made: RoomPage) =>
        HttpServerResponse.text(frame(pathname, nowText(), made), {
          status,
          contentType: "text/html; charset=utf-8",
          headers: sandboxHeaders
        })
      return yield* pageOf({ path: pathname, item, query: searchParams }).pipe(
        Effect.map((made) => answer(200, made)),
        Effect.catch(({ message, status }) => Effect.succeed(answer(status, refused(status, message))))
      )
    })
  )

const own = (name: URL): string => readFileSync(name, "utf8")

/** The control room's pages, whose buttons call the control routes. They need no key. */
export const roomRoutes = Layer.mergeAll(
  page("/sandbox", marketPage),
  page("/sandbox/room/requests", requestsPage),
  page("/sandbox/room/requests/:item", requestPage),
  page("/sandbox/room/orders", ordersPage),
  page("/sandbox/room/orders/:item", orderPage),
  page("/sandbox/room/events", eventsPage),
  page("/sandbox/room/webhooks", webhooksPage),
  page("/sandbox/room/accounts", accountsPage),
  page("/sandbox/room/faults", faultsPage),
  page("/sandbox/room/tables", tablesPage),
  page("/sandbox/room/calls", callsPage),
  page(needsScripts, scriptsPage),
  sandboxFile("/sandbox/room.css", "text/css", () =>
    [...pageStyles(), own(new URL("./room.css", import.meta.url))].join("\n")
  ),
  sandboxFile("/sandbox/room.js", "text/javascript", () => own(new URL("./room.js", import.meta.url)))
)
