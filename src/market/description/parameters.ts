import { Schema } from "effect"
import { limits } from "../contract/Limits.ts"
import { eachNode, isNode, type Node, type Operation, type Parameter, type Reference, refTo } from "./Document.ts"
import { plainSchema } from "./plainSchema.ts"

const catalogId = {
  type: "integer",
  format: "int64",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER
}

/** Meanings of path parameters. Catalogue ids are numbers. */
const inPath: Readonly<Record<string, readonly [description: string, schema?: Node]>> = {
  gameId: ["A game's id, as `GET /v1/games` has it."],
  productId: ["A product's id.", catalogId],
  expansionId: ["An expansion's id.", catalogId],
  inventoryId: ["A line's id. Opaque."],
  listingId: ["A listing's id, as `GET /v1/products/{productId}/listings` has it. Opaque."],
  jobId: ["A job's id. Opaque."],
  orderNumber: ["An order's number."],
  preset: ["The program whose export file is imported."],
  name: ["The name. Letters of either case mean the same."],
  accountId: ["An account's id. Opaque."],
  keyId: ["A key's id. Opaque."],
  endpointId: ["The id of an endpoint of webhooks. Opaque."],
  deliveryId: ["A delivery's id. Opaque."]
}

/** Returns query schemas as values: the generator describes their encoding in an address instead. */
const describeValues = (query: Schema.Top, known: Readonly<Record<string, Node>>): Readonly<Record<string, Node>> => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(query))
  const properties = isNode(schema["properties"]) ? schema["properties"] : {}
  return eachNode(properties as Record<string, Node>, (node) => {
    const { title } = node
    return typeof title === "string" && title in known ? { ...refTo(title) } : plainSchema(node)
  })
}

/** Returns a boolean for a query's `true` and `false`. */
const asFlag = (schema: Node): Node =>
  Array.isArray(schema["enum"]) && schema["enum"].join() === "true,false" ? { type: "boolean" } : schema

const isNamed = (parameter: Parameter | Reference): parameter is Parameter => "name" in parameter

/** Adds client types and descriptions to parameters. */
export const describeParameters = (
  operation: Operation,
  query: Schema.Top | undefined,
  known: Readonly<Record<string, Node>>
) => {
  const values = query === undefined ? {} : describeValues(query, known)
  for (const parameter of operation.parameters.filter(isNamed)) {
    const [usual, typed] = inPath[parameter.in === "path" ? parameter.name : ""] ?? []
    const { description = usual, ...schema } = asFlag(typed ?? values[parameter.name] ?? parameter.schema)
    parameter.schema = schema
    if (typeof description === "string") parameter.description = description
  }
}

const metadataValue = { type: "string", maxLength: limits.metadataValueLength }

/** A record with a field of its own, because Java clients of openapi-generator compile with no other query object. */
const metadataFilter: Node = {
  description: "Pairs that a sale has, with keys of yours such as `channel`.",
  allOf: [
    { type: "object", additionalProperties: metadataValue, maxProperties: 10 },
    { type: "object", properties: { channel: metadataValue } }
  ]
}

const metadataParameter: Parameter = {
  name: "metadata",
  in: "query",
  required: false,
  style: "deepObject",
  explode: true,
  description: "Pairs that a sale has: `metadata[channel]=web`. At most ten; all of them must hold.",
  schema: { ...refTo("MetadataFilter") }
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text of yours for this one request, such as a UUID. For 24 hours, the same request with the same key is answered as it was before, and done once.",
  schema: { type: "string", maxLength: 255 }
}

/** Parameters that several operations share. */
export const sharedParameters = { IdempotencyKey: idempotencyKey }

/** Adds parameters that the server reads although the contract does not declare them. */
export const addUnnamed = (operation: Operation, schemas: Record<string, Node>) => {
  if (operation.operationId === "sales.sales") {
    operation.parameters.push(metadataParameter)
    schemas["MetadataFilter"] = metadataFilter
  }
  if (JSON.stringify(operation.responses["422"] ?? "").includes("IdempotencyKeyReused")) {
    operation.parameters.push({ $ref: "#/components/parameters/IdempotencyKey" })
  }
}

const whole = { type: "integer", minimum: 0 }

/** Headers of answers. Beyond the spec: sections 1 and 3. */
export const sharedHeaders = {
  RequestId: { description: "Names this request, for questions about it.", required: true, schema: { type: "string" } },
  RateLimit: { description: "Requests a minute that the account may make.", required: true, schema: whole },
  RateLimitRemaining: { description: "Requests that the account may make at once now.", required: true, schema: whole },
  RetryAfter: { description: "Seconds to wait.", required: true, schema: { ...whole, minimum: 1 } }
}

const ref = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` })

/** Adds the headers of every answer, and those of a 429. */
export const addHeaders = ({ responses }: Operation) => {
  for (const [status, response] of Object.entries(responses)) {
    response.headers = {
      "X-Request-Id": ref("RequestId"),
      "X-RateLimit-Limit": ref("RateLimit"),
      "X-RateLimit-Remaining": ref("RateLimitRemaining"),
      ...(status === "429" ? { "Retry-After": ref("RetryAfter") } : {})
    }
  }
}
