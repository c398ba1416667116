import { Arbitrary, Effect, JsonSchema, type Schema, SchemaRepresentation } from "effect"
import type { Answer } from "../Served.ts"
import { type AnswerDocument, answerFaults } from "../description/answerFault.ts"

interface Described {
  readonly schema: JsonSchema.JsonSchema
}

interface OpenApiOperation {
  readonly parameters?: ReadonlyArray<Described & { readonly in?: string; readonly name: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
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
  readonly fault: (answer: Answer) => string | undefined
}

const samplesEach = 20

/** A random number hardly ever has two decimals, so amounts are drawn from these. */
const asAmount = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  schema["type"] === "number" && "maximum" in schema ? { type: "number", enum: [0.01, 1, 14.99, 250] } : schema

/** Every operation of a document with sample requests, the same ones for a seed. */
export const readOperations = Effect.fnUntraced(function* (document: OpenApiDocument, seed: number) {
  const { components, paths } = document
  const faults = answerFaults(document as unknown as AnswerDocument)
  const definitions = Object.fromEntries(
    Object.entries(components.schemas).map(([name, each]) => [name, JsonSchema.fromSchemaOpenApi3_1(each).schema])
  )
  const samplesOf = ({ schema }: Described) => {
    const read = JsonSchema.fromSchemaOpenApi3_1({ ...schema, components } as JsonSchema.JsonSchema)
    const drawn = SchemaRepresentation.fromJsonSchemaDocument(
      { ...read, definitions },
      { onEnter: asAmount, patterns: "apply" }
    )
    return Arbitrary.sampleEffect(Arbitrary.schema(drawn as Schema.Codec<unknown>), {
      count: samplesEach,
      size: 6,
      seed
    })
  }
  const found: Array<FuzzedOperation> = []
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(item)) {
      const places = (where: string) =>
        Effect.forEach(
          parameters.filter((each) => each.in === where),
          (each) => Effect.map(samplesOf(each), (samples): Place => ({ name: each.name, samples }))
        )
      const [contentType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
      found.push({
        method: method.toUpperCase(),
        path,
        params: yield* places("path"),
        query: yield* places("query"),
        bodies: body === undefined || contentType !== "application/json" ? [] : yield* samplesOf(body),
        contentType,
        fault: (answer) => faults.answer(method, path, answer)
      })
    }
  }
  return found
})
