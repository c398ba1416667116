import { Context, type Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Bucket } from "../../feed/contract/Bucket.ts"
import { describeBodies } from "./bodies.ts"
import { type Document, eachNode, isNode, namedBy, type Node, operationsOf } from "./Document.ts"
import { addExamples, type Examples } from "./examples.ts"
import { addHeaders, sharedHeaders } from "./headers.ts"
import { nameRecords } from "./nameRecords.ts"
import { addUnnamed, describeParameters, sharedParameters } from "./parameters.ts"
import { plainSchema, withDiscriminator } from "./plainSchema.ts"
import { splitWebhooks } from "./webhooks.ts"

/** A record is named by its title: an identifier would also be in the messages of refused requests. */
const options: OpenApi.FromApiOptions = {
  referencePolicy: ({ ast, identifier }) => identifier ?? SchemaAST.resolveTitle(ast)
}

/** What the contract says of an operation beside its records. */
interface Facts {
  readonly query: Schema.Top | undefined
  readonly bucket: string
  /** Its body may have no unknown keys. */
  readonly isClosed: boolean
}

const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const facts = new Map<string, Facts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const bucket = Context.getOrUndefined(endpoint.annotations, Bucket)
      const parsing = Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
      facts.set(`${group.identifier}.${endpoint.identifier}`, {
        query: endpoint.query,
        bucket:
          bucket === undefined
            ? ""
            : `Has a rate limit of its own, \`${bucket.name}\`: ${bucket.limit} in ${bucket.windowSeconds} seconds.`,
        isClosed: parsing?.onExcessProperty === "error"
      })
    }
  })
  return facts
}

const closed = (schema: Node | undefined): Node =>
  eachNode(schema ?? {}, (node) => (isNode(node["properties"]) ? { ...node, additionalProperties: false } : node))

/** Closes a body, and the records that it is made of. */
const close = (schema: Node, schemas: Record<string, Node>): void => {
  const name = namedBy(schema)
  if (name !== undefined) schemas[name] = closed(schemas[name])
  for (const inner of Object.values(name === undefined ? schema : (schemas[name] ?? {}))) {
    for (const each of Array.isArray(inner) ? inner : [inner]) if (isNode(each)) close(each, schemas)
  }
}

/** An OpenAPI 3.1 document of an API, as what generates clients reads it. Events become its webhooks. */
export const describeApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  examples: Examples
): Document => {
  const facts = factsOf(api)
  const generated = JSON.parse(JSON.stringify(OpenApi.fromApi(api, options))) as Document
  const named = nameRecords(eachNode(generated, plainSchema))
  const { schemas } = named.components
  const told = eachNode(named, withDiscriminator(schemas))
  for (const { operation } of operationsOf(told.paths)) {
    const { bucket = "", isClosed = false, query } = facts.get(operation.operationId) ?? {}
    describeParameters(operation, query, schemas)
    describeBodies(operation)
    addUnnamed(operation)
    addHeaders(operation)
    if (isClosed) close({ ...operation.requestBody?.content }, told.components.schemas)
    const description = [operation.description, bucket].filter(Boolean).join(" ")
    if (description !== "") operation.description = description
  }
  told.components = { ...told.components, parameters: sharedParameters, headers: sharedHeaders }
  return addExamples(splitWebhooks(told), examples)
}
