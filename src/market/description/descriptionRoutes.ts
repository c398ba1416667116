import recorded from "./examples.json" with { type: "json" }
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { pageStyles } from "../../desk/pages/everyPage.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { requestOrigin } from "../answers/wire.ts"
import { type Document, eachNode, listOperations, type Placed, refTo } from "./Document.ts"
import { chooseForm } from "../../desk/pages/chooseForm.ts"
import { html, type Html, pageHead } from "../../desk/pages/html.ts"
import { sandboxFile, sandboxHeaders, sandboxPage } from "../answers/sandboxPage.ts"
import { paragraphs, operationText, recordText } from "./operationText.ts"
import { OpenApi } from "effect/http-api"
import { ErrorEnvelope } from "../../feed/contract/Errors.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { ControlApi } from "../control/ControlApi.ts"
import { describeApi } from "./describeApi.ts"
import { plainSchema, withoutList } from "./plainSchema.ts"
import { addHeaders } from "./parameters.ts"
import { eventOperations } from "./webhooks.ts"

const marketplaceWords = `A marketplace of trading cards: catalogue, prices, stock, orders and events. How a first card is sold is described before the control routes of the sandbox.

- **Key**: \`Authorization: Bearer <key>\` with every request. An operation says which scope its key needs; others take any key. The sandbox prints the keys of a seller and a buyer when it starts; \`POST /sandbox/accounts\` makes others.
- **Money** is a decimal in the major unit: 14.99 with USD is 14.99 US dollars. Amounts have at most two decimals; read them as decimals, not as binary fractions.
- **Times** are ISO 8601 in UTC. **Ids** of games, lines, listings, jobs and orders are texts; do not take them apart. Ids of products and expansions are integers up to 2^53-1.
- **Pages**: \`cursor\` lists go on with \`pagination.nextCursor\` until it is null; \`offset\` lists have \`pagination.total\` and \`hasMore\`.
- **Errors** have the body \`{code, status, message, data}\`. Decide by \`code\`.
- **Repeats**: a write with an \`Idempotency-Key\` can be sent again without being done twice.
- **Unknown keys** of a query or a body, and unknown columns of an import, are ignored without a word: a misspelled one changes nothing. Only \`PATCH /v1/inventory/{inventoryId}\` refuses them.
- **Rate limits** are off, unless the sandbox was started with \`--rate\`. Limits of single operations are those of \`--rate 60\`, and grow in proportion.
- **New fields** may appear in any answer at any time: ignore those that you do not know.
- **Events** are sent to webhooks, which \`POST /sandbox/webhooks\` sets up. They may come in another order and more than once: \`eventId\` is the same each time.`

const controlWords = `What a test or a demo does to the marketplace from outside, in place of its web pages, its carriers and time. Without a key. Unknown keys of a query or a body are refused. To sell a first card:

- **List**: \`POST /v1/inventory\` with a \`listing\` in the line. Finishes and languages are those of \`GET /v1/products/{productId}\`, the currency is the seller's, as in \`GET /v1/account/me\`.
- **Listen**: \`POST /sandbox/webhooks\` sends the account's events to a server of yours, whose answer has to be a 2xx; \`GET /sandbox/deliveries\` shows what became of them.
- **Sell**: \`GET /v1/products/{productId}/listings\` has the \`listingId\`, and in \`seller.username\` whose it is. \`POST /sandbox/checkout\` pays for it as a buyer; \`GET /v1/sales\` has the sale.
- **Ship**: \`POST /v1/sales/{orderNumber}/mark-shipped\`, then \`POST /sandbox/orders/{orderNumber}/scans\` with the status \`delivered\`.
- **Refund**: \`POST /v1/sales/{orderNumber}/refunds\`, before the order is completed, three days later. The money arrives after a minute: \`POST /sandbox/clock\` lets time pass.
- **Again**: \`POST /sandbox/reset\` puts everything back to how it was at the start.`

const withWords = (description: string) => OpenApi.annotations({ description })

class DescribedMarketplace extends MarketplaceApi.add(eventOperations).annotateMerge(withWords(marketplaceWords)) {}
class DescribedControl extends ControlApi.annotateMerge(withWords(controlWords)) {}

/** Answers that any control route may give without declaring them. */
const anyControlAnswer = {
  "400": "Input that the route does not take; `data.field` names it.",
  "403": "A page of another site sent it, or the request came under a name that the sandbox does not have.",
  "500": "The sandbox broke. Report the header `X-Request-Id`.",
  "503": "The disk is full; nothing was kept."
}

const withControlAnswers = (document: Document): Document => {
  document.components.schemas["Error"] = plainSchema({ ...Schema.toJsonSchemaDocument(ErrorEnvelope).schema })
  for (const { operation } of listOperations(document.paths)) {
    for (const [status, description] of Object.entries(anyControlAnswer)) {
      operation.responses[status] ??= {
        description,
        content: { "application/json": { schema: { ...refTo("Error") } } }
      }
    }
    addHeaders(operation)
  }
  return document
}

/** Defers a document until its first request, because most sandboxes never serve it. */
const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

export const marketplaceDocument = once(() => describeApi(DescribedMarketplace, recorded.marketplace))
export const controlDocument = once(() => withControlAnswers(describeApi(DescribedControl, recorded.control)))

interface Part {
  readonly title: string
  readonly address: string
  readonly document: Document
}

/** What a reader of `/docs` looks for, and how addresses in its examples begin. */
interface DocsRequest {
  readonly find: string
  readonly origin: string
}

/** True if every word of the filter occurs in the texts, in either case. */
const isFound = ({ find }: DocsRequest, ...texts: ReadonlyArray<string | undefined>): boolean => {
  const text = texts.join(" ").toLowerCase()
  return find.split(/\s+/).every((word) => text.includes(word))
}

const isFoundIn =
  (request: DocsRequest) =>
  ({ method, operation: { description, summary, tags }, path }: Placed): boolean =>
    isFound(request, method, path, summary, description, ...tags)

const group = (part: Part, title: string, placed: ReadonlyArray<Placed>, { origin }: DocsRequest): Html | false =>
  placed.length > 0 &&
  html`<section>
    <h3>${title}</h3>
    ${placed.map((each) => operationText(part.document, each, origin))}
  </section>`

const partText = (part: Part, request: DocsRequest, shownBefore: ReadonlySet<string>): Html => {
  const { address, document, title } = part
  const operations = listOperations(document.paths).filter(isFoundIn(request))
  const events = listOperations(document.webhooks ?? {}).filter(isFoundIn(request))
  const records = Object.entries(document.components.schemas)
    .filter(([name, schema]) => !shownBefore.has(name) && isFound(request, name, JSON.stringify(schema)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  return html`<h2>${title}</h2>
    <p>For generators of clients: <a href="${address}">${address}</a>, OpenAPI ${document.openapi}.</p>
    ${request.find === "" && paragraphs(document.info.description ?? "")}
    ${document.tags.map(({ name }) => group(part, name, ofTag(name), request))}
    ${group(part, "Events", events, request)}
    <section>
      <h3>Records</h3>
      ${records.map(([name, schema]) => recordText(name, schema))}
    </section>`
}

const listRecords = (parts: ReadonlyArray<Part>): ReadonlySet<string> =>
  new Set(parts.flatMap(({ document }) => Object.keys(document.components.schemas)))

/** Renders both documents for people: one page without scripts, which shows what the filter finds. */
const docsPage = (parts: ReadonlyArray<Part>, request: DocsRequest): string =>
  sandboxPage({
    title: "API",
    path: "/docs",
    styles: "/docs/docs.css",
    body: html`${pageHead("Sandbox", "API")}
      ${chooseForm("/docs", [{ kind: "text", name: "find", label: "Find", value: request.find, hint: "refund" }])}
      <div class="docs">${parts.map((part, at) => partText(part, request, listRecords(parts.slice(0, at))))}</div>`
  })

const served = (document: () => Document, origin: string): Document => {
  const { info, openapi, ...rest } = document()
  return { openapi, info, servers: [{ url: origin, description: "This sandbox" }], ...rest }
}

const documentRoute = (path: `/${string}`, document: () => Document) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(requestOrigin, (origin) => jsonAnswer(request, JSON.stringify(served(document, origin))))
    )
  )

const styles = () => [...pageStyles(), readFileSync(new URL("./docs.css", import.meta.url), "utf8")].join("\n")

const page = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const find = new URL(url, "http://sandbox").searchParams.get("find")?.trim().toLowerCase() ?? ""
  const request = { find, origin: yield* requestOrigin }
  return HttpServerResponse.text(
    docsPage(
      [
        { title: "Marketplace", address: "/openapi.json", document: marketplaceDocument() },
        { title: "Control routes", address: "/sandbox/openapi.json", document: controlDocument() }
      ],
      request
    ),
    { contentType: "text/html; charset=utf-8", headers: sandboxHeaders }
  )
})

/** Routes of the contract for programs and people. They need no key. */
export const descriptionRoutes = Layer.mergeAll(
  documentRoute(
    "/openapi.json",
    once(() => eachNode(marketplaceDocument(), withoutList))
  ),
  HttpRouter.add("GET", "/docs", page),
  sandboxFile("/docs/docs.css", "text/css", styles),
  HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))
)

/** The document of the control routes, with the same access rule as these. */
export const controlDescription = documentRoute("/sandbox/openapi.json", controlDocument)
