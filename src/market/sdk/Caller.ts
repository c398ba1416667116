import { attempt, type Outgoing, unreadable } from "./attempt.ts"
import { type ClientOptions, chooseFetch, choosePolicy, type RequestOptions } from "./ClientOptions.ts"
import type { BlobLike, Upload, UploadContent } from "./Upload.ts"
import { type ItemOf, type List, makeList, type Position } from "./List.ts"
import { makeRateGate, type Outcome, withRetries } from "./withRetries.ts"
import { type Operation, operations } from "./operations.ts"
import type { Operations } from "./wire.ts"

/** A content part of a `File`. */
type Part = Blob | Uint8Array<ArrayBuffer>

const readParts = async (content: UploadContent): Promise<ReadonlyArray<Part>> => {
  if (ArrayBuffer.isView(content) || content instanceof Blob) return [content as Part]
  if ("arrayBuffer" in content) return [new Uint8Array(await content.arrayBuffer())]
  if (!(Symbol.asyncIterator in content)) throw new TypeError("A file to send is a Blob, bytes or a stream of bytes")
  const parts: Array<Part> = []
  for await (const part of content) parts.push(part as Part)
  return parts
}

const makeFile = async (upload: Upload): Promise<File> => {
  const named = "content" in upload ? upload : { content: upload, name: undefined, type: undefined }
  const { content } = named
  const { name, type } = content as Partial<BlobLike>
  return new File([...(await readParts(content))], named.name ?? (typeof name === "string" ? name : "file"), {
    type: named.type ?? (typeof type === "string" ? type : "")
  })
}

/** Builds a form with files; undefined fields are omitted. */
const makeForm = async (fields: Readonly<Record<string, unknown>>): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value)
    else if (Array.isArray(value)) {
      for (const file of value as ReadonlyArray<Upload>) form.append(name, await makeFile(file))
    } else if (value !== undefined) form.append(name, await makeFile(value as Upload))
  }
  return form
}

/** Returns a base URL without `/v1`, which operations include. Throws if it is invalid, without repeating it. */
const baseAddress = (url: string): string => {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw new TypeError("`url` is not an address that begins with http:// or https://, without a user or a password")
  }
  if (base.search !== "" || base.hash !== "") throw new TypeError("`url` has a query or a fragment: leave it out")
  return base.origin + base.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")
}

/** Encodes an id as a path segment. `.` and `..` are refused, because they would lead to another operation. */
const segment = (name: string, value: unknown): string => {
  const text = String(value ?? "")
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`\`${name}\` is ${text === "" ? "empty" : `"${text}"`}, which names nothing`)
  }
  return encodeURIComponent(text)
}

/** Fills ids into an operation's path. */
const filledPath = (path: string, ids: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, ids[name]))

/** Formats a query: lists repeat their name, pairs are `name[key]=value`, undefined values are omitted. */
const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const parameters = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return
    if (Array.isArray(value)) value.forEach((each) => add(name, each))
    else if (typeof value === "object" && value !== null) {
      for (const [key, each] of Object.entries(value)) add(`${name}[${key}]`, each)
    } else parameters.append(name, String(value))
  }
  for (const [name, value] of Object.entries(query)) add(name, value)
  const text = parameters.toString()
  return text === "" ? "" : `?${text}`
}

type Answer<Id extends keyof Operations> = Operations[Id]["answer"]

/** The input of an operation: ids of its path, a query, a body. */
type OperationInput<Id extends keyof Operations> = Omit<Operations[Id], "answer">

/** Sends requests. Only this closure holds the key. */
export interface Caller {
  readonly call: <Id extends keyof Operations>(
    id: Id,
    sent: OperationInput<Id>,
    options: RequestOptions | undefined
  ) => Promise<Answer<Id>>
  readonly list: <Id extends keyof Operations>(
    id: Id,
    sent: OperationInput<Id>,
    options: RequestOptions | undefined
  ) => List<ItemOf<Answer<Id>>, Answer<Id>>
}

interface Parts {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

const isSecretText = /^[\x21-\x7e]+$/

/** Returns the JSON body. A `DELETE` without a body sends `{}`, as the service's own client does. */
const encodeJson = ({ method }: Operation, body: Parts["body"]): string | undefined =>
  body === undefined && method !== "DELETE" ? undefined : JSON.stringify(body ?? {})

const encodeBody = async (operation: Operation, body: Parts["body"]): Promise<string | FormData | undefined> =>
  operation.isForm === true ? await makeForm(body ?? {}) : encodeJson(operation, body)

/** Adds a list position to the query, or to the body of a search. */
const withPosition = (sent: Parts, at: Position): Parts => {
  if (at === undefined) return sent
  return sent.body === undefined
    ? { ...sent, query: { ...sent.query, ...at } }
    : { ...sent, body: { ...sent.body, ...at } }
}

export const makeCaller = (client: ClientOptions): Caller => {
  const { key } = client
  const base = baseAddress(client.url)
  if (typeof key !== "string" || !isSecretText.test(key)) {
    throw new TypeError("`key` is not an API key: it is empty, or has a blank or another character that no key has")
  }
  const gate = makeRateGate()
  const scrub = (text: string) => text.replaceAll(key, "<key>")

  const outgoing = async (operation: Operation, sent: Parts, idempotencyKey?: string): Promise<Outgoing> => {
    const address = base + filledPath(operation.path, sent.path ?? {}) + queryText(sent.query ?? {})
    const body = await encodeBody(operation, sent.body)
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      ...(operation.isKeyed === true ? { "idempotency-key": idempotencyKey ?? crypto.randomUUID() } : {})
    }
    return { method: operation.method, address, headers, body, scrub }
  }

  const send = async (id: keyof Operations, sent: Parts, options: RequestOptions = {}): Promise<unknown> => {
    const policy = choosePolicy(client, options)
    const request = await outgoing(operations[id], sent, options.idempotencyKey)
    const read = async (response: Response): Promise<Outcome<unknown>> => {
      const text = await response.text()
      try {
        return { answer: JSON.parse(text) }
      } catch {
        return unreadable(response, request)
      }
    }
    const noting = async (address: string, init?: never) => {
      const response = (await chooseFetch(client)(address, init)) as Response
      const [limit, remaining] = ["limit", "remaining"].map((name) => response.headers.get(`x-ratelimit-${name}`))
      if (limit != null && remaining != null) gate.note(Number(limit), Number(remaining))
      return response
    }
    return await withRetries(() => attempt(request, policy, { fetch: noting, read }), policy, gate)
  }
  return {
    call: (id, sent, options) => send(id, sent, options) as never,
    list: (id, sent, options) => makeList((at) => send(id, withPosition(sent, at), options) as never)
  }
}
