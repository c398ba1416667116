import { Arbitrary, Effect, JsonSchema, Result, Schema, SchemaRepresentation } from "effect"

interface Described {
  readonly schema: JsonSchema.JsonSchema
}

interface OpenApiOperation {
  readonly parameters?: ReadonlyArray<Described & { readonly in: string; readonly name: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Described>> }>>
}

/** What `/openapi.json` says. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema.JsonSchema>> }
}

/** A parameter of a request, with values that its schema allows. */
export interface Place {
  readonly name: string
  readonly samples: ReadonlyArray<unknown>
}

/** An operation as the document describes it: requests to send, and what may come back. */
export interface FuzzedOperation {
  readonly method: string
  readonly path: string
  readonly params: ReadonlyArray<Place>
  readonly query: ReadonlyArray<Place>
  readonly bodies: ReadonlyArray<unknown>
  readonly contentType: string | undefined
  /** Why an answer is not as the document describes it; undefined: it is. */
  readonly fault: (status: number, json: unknown) => string | undefined
}

const samplesEach = 20

/** The document describes an object without fields as anything but null. */
const asObject = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  "not" in schema ? { type: "object" } : schema

/** A random number hardly ever has two decimals, so amounts are drawn from these. */
const asAmount = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  "multipleOf" in schema ? { type: "number", enum: [0.01, 1, 14.99, 250] } : asObject(schema)

/** Every operation of a document with sample requests, the same ones for a seed. */
export const readOperations = Effect.fnUntraced(function* ({ components, paths }: OpenApiDocument, seed: number) {
  const read = ({ schema }: Described, onEnter: typeof asObject) => {
    const document = JsonSchema.fromSchemaOpenApi3_1({ ...schema, components } as JsonSchema.JsonSchema)
    const definitions = Object.fromEntries(
      Object.entries(components.schemas).map(([name, each]) => [name, JsonSchema.fromSchemaOpenApi3_1(each).schema])
    )
    return SchemaRepresentation.fromJsonSchemaDocument({ ...document, definitions }, { onEnter, patterns: "apply" })
  }
  const samplesOf = (described: Described) =>
    Arbitrary.sampleEffect(Arbitrary.schema(read(described, asAmount) as Schema.Codec<unknown>), {
      count: samplesEach,
      size: 6,
      seed
    })
  const found: Array<FuzzedOperation> = []
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(item)) {
      const places = (where: string) =>
        Effect.forEach(
          parameters.filter((each) => each.in === where),
          (each) => Effect.map(samplesOf(each), (samples): Place => ({ name: each.name, samples }))
        )
      const [contentType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const decoders = new Map<number, (json: unknown) => Result.Result<unknown, Schema.SchemaError>>()
      const decode = (status: number, described: Described, json: unknown) => {
        const decoder =
          decoders.get(status) ?? Schema.decodeUnknownResult(read(described, asObject) as Schema.Codec<unknown>)
        decoders.set(status, decoder)
        return decoder(json)
      }
      found.push({
        method: method.toUpperCase(),
        path,
        params: yield* places("path"),
        query: yield* places("query"),
        bodies: body === undefined || contentType !== "application/json" ? [] : yield* samplesOf(body),
        contentType,
        fault: (status, json) => {
          const described = responses[status]?.content?.["application/json"]
          if (described === undefined) return `status ${status} is not described`
          const decoded = decode(status, described, json)
          return Result.isFailure(decoded) ? `its body does not keep its schema: ${decoded.failure.message}` : undefined
        }
      })
    }
  }
  return found
})
