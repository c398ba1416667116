import { type Document, type Media, type Operation, type Parameter, operationsOf } from "./Document.ts"

/** A request that was sent to a sandbox, and its answer. */
export interface Example {
  readonly params?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answer?: unknown
}

/** By method and path of an operation, and by the type of an event. */
export type Examples = Readonly<Record<string, Example>>

const show = (content: Readonly<Record<string, Media>> | undefined, example: unknown) => {
  const media = content?.["application/json"]
  if (media !== undefined && example !== undefined) media.example = example
}

const addExample = ({ parameters, requestBody, responses }: Operation, { answer, body, params = {} }: Example) => {
  show(requestBody?.content, body)
  for (const [status, { content }] of Object.entries(responses)) if (status.startsWith("2")) show(content, answer)
  for (const parameter of parameters as ReadonlyArray<Partial<Parameter>>) {
    const example = params[parameter.name ?? ""]
    if (parameter.in === "path" && example !== undefined) parameter.example = example
  }
}

/** Shows requests and answers as they were. */
export const addExamples = (document: Document, examples: Examples): Document => {
  for (const { method, operation, path } of operationsOf(document.paths)) {
    addExample(operation, examples[`${method.toUpperCase()} ${path}`] ?? {})
  }
  for (const { operation, path } of operationsOf(document.webhooks ?? {})) {
    addExample(operation, { body: examples[path]?.body })
  }
  return document
}
