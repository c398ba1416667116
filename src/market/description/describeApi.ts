import { Context, type Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Bucket } from "../../feed/contract/Bucket.ts"
import {
  type Document,
  eachNode,
  isNode,
  namedBy,
  type Node,
  listOperations,
  type Operation,
  refTo,
  type Media,
  type Parameter
} from "./Document.ts"
import { addHeaders, sharedHeaders, addUnnamed, describeParameters, sharedParameters } from "./parameters.ts"
import { plainSchema, withDiscriminator } from "./plainSchema.ts"
import { splitWebhooks } from "./webhooks.ts"
import { isDeepStrictEqual } from "node:util"

/** A recorded request and answer of a sandbox. */
export interface Example {
  readonly params?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answer?: unknown
}

/** Examples by method and path of an operation, or by event type. */
type Examples = Readonly<Record<string, Example>>

const show = (content: Readonly<Record<string, Media>> | undefined, example: unknown) => {
  const media = content?.["application/json"]
  if (media !== undefined && example !== undefined) media.example = example
}

const addExample = ({ parameters, requestBody, responses }: Operation, { answer, body, params = {} }: Example) => {
  show(requestBody?.content, body)
  for (const [status, { content }] of Object.entries(responses)) if (status.startsWith("2")) show(content, answer)
  for (const parameter of parameters as ReadonlyArray<Partial<Parameter>>) {
    const example = params[parameter.name ?? ""]
    if (parameter.in !== "path" || example === undefined) continue
    parameter.example = parameter.schema?.["type"] === "string" ? String(example) : example
  }
}

/** Adds recorded requests and answers to the document. */
const addExamples = (document: Document, examples: Examples): Document => {
  for (const { method, operation, path } of listOperations(document.paths)) {
    addExample(operation, examples[`${method.toUpperCase()} ${path}`] ?? {})
  }
  for (const { operation, path } of listOperations(document.webhooks ?? {})) {
    addExample(operation, { body: examples[path]?.body })
  }
  return document
}

/** Renames the records of a document. */
const renamed = (document: Document, nameOf: (name: string) => string): Document => {
  const made = eachNode(document, (node) => {
    const name = namedBy(node)
    return name === undefined ? node : { ...node, ...refTo(nameOf(name)) }
  })
  made.components.schemas = Object.fromEntries(
    Object.entries(made.components.schemas).map(([name, schema]) => [nameOf(name), schema])
  )
  return made
}

/** Merges records that the contract creates twice, such as pages of one item: `SalePage_1` becomes `SalePage`. */
const merged = (document: Document): Document => {
  const { schemas } = document.components
  const twins = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    const [, first = ""] = /^(.*)_\d+$/.exec(name) ?? []
    if (first !== "" && isDeepStrictEqual(schema, schemas[first])) twins.set(name, first)
  }
  // Merging repeats, because records that refer to duplicates can become duplicates themselves.
  return twins.size === 0 ? document : merged(renamed(document, (name) => twins.get(name) ?? name))
}

/** Removes the suffix that the generator adds to the wire form of error classes. */
const withoutEncoded = (name: string): string => name.replace(/Encoded$/, "")

const file = { type: "string", format: "binary" }

const uploads: Readonly<Record<string, Node>> = {
  file,
  // Without bounds: the Go client of openapi-generator does not compile with bounds of a list of files.
  files: { type: "array", items: file }
}

const isNull = (schema: unknown): boolean => isNode(schema) && schema["type"] === "null"

/** Makes a body optional if it may be null. */
const optionalBody = (operation: Operation) => {
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    const { anyOf } = media.schema
    if (!Array.isArray(anyOf) || !anyOf.some(isNull) || operation.requestBody === undefined) continue
    const schema: unknown = anyOf.find((each) => !isNull(each))
    if (isNode(schema)) media.schema = schema
    operation.requestBody.required = false
  }
}

/** Describes an upload: one file of lines, or up to ten photos. */
const uploadBody = ({ requestBody }: Operation) => {
  const properties = requestBody?.content["multipart/form-data"]?.schema["properties"]
  if (!isNode(properties)) return
  for (const [name, schema] of Object.entries(uploads)) if (name in properties) properties[name] = schema
}

/** Records are named by title, because identifiers would also appear in the messages of refused requests. */
const options: OpenApi.FromApiOptions = {
  referencePolicy: ({ ast, identifier }) => identifier ?? SchemaAST.resolveTitle(ast)
}

/** Facts about an operation that are not in its records. */
interface Facts {
  readonly query: Schema.Top | undefined
  readonly bucket: string
  /** True if its body may have no unknown keys. */
  readonly isClosed: boolean
}

const collectFacts = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
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
            : `Has a rate limit of its own, \`${bucket.name}\`: ${bucket.limit} in ${bucket.windowSeconds} seconds, if the sandbox was started with \`--rate 60\`.`,
        isClosed: parsing?.onExcessProperty === "error"
      })
    }
  })
  return facts
}

const closed = (schema: Node | undefined): Node =>
  eachNode(schema ?? {}, (node) => (isNode(node["properties"]) ? { ...node, additionalProperties: false } : node))

/** Forbids unknown keys in a body and in the records it uses. */
const close = (schema: Node, schemas: Record<string, Node>): void => {
  const name = namedBy(schema)
  if (name !== undefined) schemas[name] = closed(schemas[name])
  for (const inner of Object.values(name === undefined ? schema : (schemas[name] ?? {}))) {
    for (const each of Array.isArray(inner) ? inner : [inner]) if (isNode(each)) close(each, schemas)
  }
}

/** Returns the path that all operations of a tag begin with. */
const commonPath = (paths: ReadonlyArray<string>): string => {
  const segments = paths.map((path) => path.split("/"))
  const [first = []] = segments
  const differs = first.findIndex((segment, at) => segments.some((other) => other[at] !== segment))
  return (differs === -1 ? first : first.slice(0, differs)).join("/")
}

/** Types a seller's currency. The contract leaves it open for nights, because the live service has more currencies. */
const closeCurrency = ({ AccountSeller: seller }: Record<string, Node>): void => {
  if (isNode(seller?.["properties"])) seller["properties"]["currency"] = { ...refTo("MarketCurrency") }
}

/** Describes tags, and what any key may call, and removes shared parts that nothing refers to: linters ask for it. */
const complete = (document: Document): Document => {
  const placed = listOperations(document.paths)
  for (const { operation } of placed) {
    operation.description ??= operation.security.length === 0 ? "Needs no key." : "Takes any valid key."
  }
  for (const tag of document.tags) {
    const paths = placed.filter(({ operation }) => operation.tags.includes(tag.name)).map(({ path }) => path)
    tag.description ??= paths.length === 0 ? "Sent to receivers." : `Operations below \`${commonPath(paths)}\`.`
  }
  const text = JSON.stringify(document.paths)
  const used = <A>(kind: string, parts: Record<string, A>): Record<string, A> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
  const parameters = used("parameters", sharedParameters)
  const headers = used("headers", sharedHeaders)
  document.info = {
    ...document.info,
    contact: { name: "Cardlake" },
    license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" }
  }
  document.components = { ...document.components, parameters, headers }
  return document
}

/** Returns an API as OpenAPI 3.1 for client generators. Events become its webhooks. */
export const describeApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  examples: Examples
): Document => {
  const facts = collectFacts(api)
  const generated = JSON.parse(JSON.stringify(OpenApi.fromApi(api, options))) as Document
  const named = merged(renamed(eachNode(generated, plainSchema), withoutEncoded))
  const { schemas } = named.components
  const described = eachNode(named, withDiscriminator(schemas))
  for (const { operation } of listOperations(described.paths)) {
    const { bucket = "", isClosed = false, query } = facts.get(operation.operationId) ?? {}
    describeParameters(operation, query, schemas)
    optionalBody(operation)
    uploadBody(operation)
    addUnnamed(operation, described.components.schemas)
    addHeaders(operation)
    if (isClosed) close({ ...operation.requestBody?.content }, described.components.schemas)
    const description = [operation.description, bucket].filter(Boolean).join(" ")
    if (description !== "") operation.description = description
  }
  closeCurrency(described.components.schemas)
  return complete(addExamples(splitWebhooks(described), examples))
}
