import {
  type Document,
  isNode,
  namedBy,
  type Operation,
  listOperations,
  type Parameter,
  type Placed,
  type Reference
} from "../../src/market/description/Document.ts"
import { comment, fieldsText, typeText } from "./typeText.ts"

const sent = { isSent: true }

/** Searches: they have bodies, and write nothing. */
const reads = new Set(["catalogue.searchProducts", "inventory.searchLines", "prices.resolve"])

const isParameter = (parameter: Parameter | Reference): parameter is Parameter => "name" in parameter

const parametersIn = ({ parameters }: Operation, place: Parameter["in"]): ReadonlyArray<Parameter> =>
  parameters.filter(isParameter).filter((parameter) => parameter.in === place)

/** Their names in words of the caller: `sales.sales` is asked with a `SalesQuery`. */
const queryName = ({ operation }: Placed): string | undefined => {
  const [, name = ""] = operation.operationId.split(".")
  const isAsked = parametersIn(operation, "query").length > 0 && operation.requestBody === undefined
  return isAsked ? `${name[0]?.toUpperCase()}${name.slice(1)}Query` : undefined
}

/** The query of an operation as a record. */
export const queryText = (placed: Placed): string => {
  const name = queryName(placed)
  if (name === undefined) return ""
  const properties = Object.fromEntries(
    parametersIn(placed.operation, "query").map(({ description, name: field, schema }) => [
      field,
      { ...schema, ...(description === undefined ? {} : { description }) }
    ])
  )
  return `\n${comment(`${placed.operation.summary}: what can be asked for.`)}export interface ${name} {\n${fieldsText({ properties }, sent, "  ")}}\n`
}

/** What comes back under 2xx. */
export const answerOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]?.schema ?? {}

const pagesOf = (placed: Placed, { components }: Document): string | undefined => {
  const answer = answerOf(placed.operation)
  const { properties } = components.schemas[namedBy(answer) ?? ""] ?? {}
  const pagination = isNode(properties) ? properties["pagination"] : undefined
  if (!isNode(pagination)) return undefined
  return namedBy(pagination) === "CursorPagination" ? "cursor" : "offset"
}

const isKeyed = ({ parameters }: Operation): boolean =>
  parameters.some((parameter) => "$ref" in parameter && parameter.$ref.endsWith("/IdempotencyKey"))

/** An operation as `src/market/sdk/operations.ts` lists it. */
export const operationRow = (placed: Placed, document: Document) => {
  const { method, operation, path } = placed
  const { operationId, requestBody } = operation
  if (method === "post" && !isKeyed(operation) && !reads.has(operationId)) {
    throw new Error(`${operationId} takes no Idempotency-Key: say whether it writes`)
  }
  const isForm = requestBody !== undefined && "multipart/form-data" in requestBody.content
  const pages = pagesOf(placed, document)
  return {
    method: method.toUpperCase(),
    path,
    ...(isKeyed(operation) ? { isKeyed: true } : {}),
    ...(isForm ? { isForm: true } : {}),
    ...(pages === undefined ? {} : { pages })
  }
}

const formText = (schema: Parameter["schema"]): string => typeText(schema, sent).replaceAll(/\s*\n\s*/g, "; ")

/** What an operation is sent and answers, as one line. */
const typeOf = (placed: Placed): string => {
  const { operation } = placed
  const inPath = parametersIn(operation, "path").map(({ name, schema }) => `${name}: ${typeText(schema, sent)}`)
  const query = queryName(placed)
  const { content = {}, required } = operation.requestBody ?? { required: false }
  const [body] = Object.values(content)
  const parts = [
    ...(inPath.length === 0 ? [] : [`path: { ${inPath.join("; ")} }`]),
    ...(query === undefined ? [] : [`query?: ${query} | undefined`]),
    ...(body === undefined
      ? []
      : [`body${required ? "" : "?"}: ${formText(body.schema).replace("{;", "{")}${required ? "" : " | undefined"}`]),
    `answer: ${typeText(answerOf(operation), { isSent: false })}`
  ]
  return `  "${operation.operationId}": { ${parts.join("; ")} }`
}

/** The types of what each operation is sent and answers. */
export const operationsText = (document: Document): string => `
/** What each operation is sent, and what it answers. */
export interface Operations {
${listOperations(document.paths).map(typeOf).join("\n")}
}
`
