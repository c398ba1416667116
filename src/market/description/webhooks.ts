import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  ExportCompleted,
  ImportCompleted,
  QuantityChanged,
  type MarketEvent,
  BalanceUpdated,
  MessageReceived,
  OrderCreated,
  OrderStatusChanged
} from "../contract/events/MarketEvent.ts"
import { type Document, eachNode, isNode, namedBy, type Parameter, type PathItem } from "./Document.ts"

const group = "webhooks"
const webhookPath = (type: string): `/${string}` => `/${group}/${type}`

const sent = (event: (typeof MarketEvent.members)[number], summary: string) => {
  const { literal } = event.fields.type
  return HttpApiEndpoint.post(literal, webhookPath(literal), {
    payload: event as Schema.Top,
    success: Schema.Void
  }).annotate(OpenApi.Summary, summary)
}

/** Events as operations of the receiver, so that their records are generated with the others. */
export const eventOperations = HttpApiGroup.make(group).add(
  sent(OrderCreated, "An order was placed"),
  sent(OrderStatusChanged, "An order got another status"),
  sent(MessageReceived, "A message about an order came"),
  sent(BalanceUpdated, "The seller's balance changed"),
  sent(QuantityChanged, "Quantities of lines changed"),
  sent(ImportCompleted, "An import ended"),
  sent(ExportCompleted, "An export ended")
)

const header = (name: string, description: string, schema: Parameter["schema"]): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema
})

/** Headers of a signed delivery, as in Standard Webhooks. Beyond the spec: section 14. */
const headers = [
  header("webhook-id", "The event's id; the same in every attempt.", { type: "string" }),
  header("webhook-timestamp", "When this attempt was signed, in Unix seconds.", { type: "string", pattern: "^\\d+$" }),
  header(
    "webhook-signature",
    "`v1,` and the Base64 of an HMAC-SHA256 over `id.timestamp.body`; several are separated by spaces. Its key is the decoded Base64 that follows `whsec_` in the secret.",
    { type: "string", pattern: "^v1,\\S+( v1,\\S+)*$" }
  )
]

/** Adds the names of all records that a value refers to, directly or through other records. */
const collectNames = (value: unknown, document: Document, found = new Set<string>()): Set<string> => {
  if (Array.isArray(value)) for (const each of value) collectNames(each, document, found)
  if (!isNode(value)) return found
  const name = namedBy(value)
  if (name !== undefined && !found.has(name)) collectNames(document.components.schemas[name], document, found.add(name))
  for (const each of Object.values(value)) collectNames(each, document, found)
  return found
}

/**
 * Combines each reference to a record that no path uses with a part that adds nothing. oapi-codegen drops such records,
 * but merges these two parts into a type that it keeps.
 */
const keepRecords = (document: Document): Document => {
  const used = collectNames(document.paths, document)
  return eachNode(document, (node) => {
    const name = namedBy(node)
    const isKept = name === undefined || used.has(name) || Object.keys(node).length > 1
    return isKept ? node : { allOf: [node, { description: "Only webhooks have this record." }] }
  })
}

/** Moves the events from paths to webhooks. */
export const splitWebhooks = (document: Document): Document => {
  const webhooks: Record<string, PathItem> = {}
  const paths: Record<string, PathItem> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    const { post } = item
    if (post === undefined || !path.startsWith(webhookPath(""))) {
      paths[path] = item
      continue
    }
    const acknowledged = { description: "Any 2xx within 15 seconds acknowledges; anything else is tried again." }
    const { summary = "", requestBody } = post
    webhooks[path.slice(webhookPath("").length)] = {
      post: {
        operationId: post.operationId,
        tags: [group],
        summary,
        parameters: headers,
        ...(requestBody === undefined ? {} : { requestBody }),
        responses: { "200": acknowledged },
        security: []
      }
    }
  }
  return keepRecords({ ...document, paths, webhooks })
}
