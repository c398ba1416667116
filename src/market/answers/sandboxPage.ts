import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { pageHeaders } from "../../desk/pages/everyPage.ts"
import { html, type Html, type Shown, currentPage, pageDocument } from "../../desk/pages/html.ts"

/** The pages that every page of the sandbox links to. */
const pages = [
  ["/sandbox", "Market"],
  ["/sandbox/room/requests", "Requests"],
  ["/sandbox/room/orders", "Orders"],
  ["/sandbox/room/events", "Events"],
  ["/sandbox/room/webhooks", "Webhooks"],
  ["/sandbox/room/accounts", "Accounts"],
  ["/sandbox/room/faults", "Faults"],
  ["/sandbox/room/tables", "Tables"],
  ["/sandbox/room/calls", "Calls"],
  ["/docs", "API"]
] as const

interface SandboxPage {
  readonly title: string
  /** The address of one of `pages`, or an address below it. */
  readonly path: string
  readonly styles: string
  readonly script?: string
  /** Shown beside the name of the sandbox. */
  readonly aside?: Shown
  readonly body: Html
}

/** Renders a page in the frame of the sandbox. */
export const sandboxPage = ({ aside, body, path, script, styles, title }: SandboxPage): string =>
  pageDocument({
    title,
    site: "Sandbox",
    icon: "data:,",
    styles,
    ...(script === undefined ? {} : { script }),
    header: html`<div class="bar"><a class="brand" href="/sandbox">Sandbox</a>${aside}</div>
      <nav class="sections" aria-label="Pages">
        ${pages.map(
          ([address, name]) => html`<a href="${address}" ${isHere(path, address) && currentPage}>${name}</a>`
        )}
      </nav>`,
    body
  })

const isHere = (path: string, address: string): boolean =>
  path === address || (address !== "/sandbox" && path.startsWith(`${address}/`))

/** Headers of pages and of their assets. */
export const sandboxHeaders = { ...pageHeaders, "cache-control": "no-cache" }

/** Serves an asset of the pages, read again for each request. */
export const sandboxFile = (address: `/${string}`, type: string, read: () => string) =>
  HttpRouter.add(
    "GET",
    address,
    Effect.sync(() =>
      HttpServerResponse.text(read(), { contentType: `${type}; charset=utf-8`, headers: sandboxHeaders })
    )
  )
