import { type Schema as AjvSchema, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"

interface Described {
  readonly schema: AjvSchema
}

interface OpenApiResponse {
  readonly content?: Readonly<Record<string, Described>>
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
}

interface OpenApiOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

/** What an OpenAPI document says of answers, as those read it who do not share the sandbox's code. */
export interface AnswerDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, AjvSchema>> }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: unknown
}

/** Says why an answer, a request or an event is not as the document describes it; undefined: it is. */
export const answerFaults = (document: AnswerDocument) => {
  // OpenAPI's own words, and the widths of integers, say nothing about what is valid.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    discriminator: true
  })
  formats.default(ajv)
  for (const format of ["int64", "binary"]) ajv.addFormat(format, true)
  // The records say by themselves which one an answer is.
  ajv.removeKeyword("discriminator")
  for (const keyword of ["components", "discriminator"]) ajv.addKeyword(keyword)
  const validators = new Map<Described, ValidateFunction>()
  const faultOf = (described: Described | undefined, json: unknown): string | undefined => {
    if (described === undefined) return "is not described"
    const { components } = document
    const validate = validators.get(described) ?? ajv.compile({ allOf: [described.schema], components } as AjvSchema)
    validators.set(described, validate)
    return validate(json) ? undefined : ajv.errorsText(validate.errors)
  }
  return {
    answer: (method: string, path: string, { headers, json, status }: Answer): string | undefined => {
      const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
      if (response === undefined) return `status ${status} is not described`
      const missing = Object.keys(response.headers ?? {}).filter((name) => headers.get(name) === null)
      if (missing.length > 0) return `without ${missing.join()}`
      return faultOf(response.content?.["application/json"], json)
    },
    body: (method: string, path: string, status: number, json: unknown): string | undefined =>
      faultOf(document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.["application/json"], json),
    request: (method: string, path: string, body: unknown) =>
      faultOf(document.paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"], body),
    event: (type: string, body: unknown) =>
      faultOf(document.webhooks?.[type]?.["post"]?.requestBody?.content["application/json"], body)
  }
}
