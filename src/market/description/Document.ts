/** A JSON Schema, or any other object of a document. */
export interface Node {
  [key: string]: unknown
}

export interface Media {
  schema: Node
  example?: unknown
}

export interface Parameter {
  name: string
  in: "path" | "query" | "header"
  required: boolean
  schema: Node
  description?: string
  example?: unknown
  style?: string
  explode?: boolean
}

export interface Reference {
  $ref: string
}

/** The response for one status. */
export interface Response {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  tags: Array<string>
  summary?: string
  description?: string
  parameters: Array<Parameter | Reference>
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
  security: Array<Record<string, Array<string>>>
}

/** The operations of a path, or the operation of a webhook. */
export type PathItem = Record<string, Operation>

/** The subset of OpenAPI 3.1 that the sandbox's two documents use. */
export interface Document {
  openapi: string
  info: {
    title: string
    version: string
    description?: string
    contact?: { name: string }
    license?: { name: string; identifier: string }
  }
  servers?: Array<{ url: string; description: string }>
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: {
    schemas: Record<string, Node>
    parameters?: Record<string, Parameter>
    headers?: Record<string, Node>
    securitySchemes: Record<string, Node>
  }
  security: Array<Record<string, Array<string>>>
  tags: Array<{ name: string; description?: string }>
}

/** An operation with its path and method. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const listOperations = (paths: Record<string, PathItem>): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation }))
  )

const schemaPrefix = "#/components/schemas/"

export const refTo = (name: string): Reference => ({ $ref: schemaPrefix + name })

/** Returns the name of the record that a schema refers to; undefined for an inline schema. */
export const namedBy = (schema: Node): string | undefined =>
  typeof schema["$ref"] === "string" ? schema["$ref"].slice(schemaPrefix.length) : undefined

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies `change` to every object of a value, inner ones first. */
export const eachNode = <A>(value: A, change: (node: Node) => Node): A => {
  const changed: unknown = Array.isArray(value)
    ? value.map((each: unknown) => eachNode(each, change))
    : isNode(value)
      ? change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, eachNode(inner, change)])))
      : value
  return changed as A
}
