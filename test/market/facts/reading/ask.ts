import assert from "node:assert/strict"
import { gunzipSync } from "node:zlib"

const keyed = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined

/** The value at a path such as `data.0.id`; undefined where there is none. */
export const at = (json: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => keyed(value)?.[key], json)

/** All values at a path in which `*` stands for each entry; an absent last key is undefined. */
export const all = (json: unknown, path: string): ReadonlyArray<unknown> =>
  path.split(".").reduce<ReadonlyArray<unknown>>(
    (values, key) =>
      values.flatMap((value) => {
        const found = keyed(value)
        if (found === undefined) return []
        return key === "*" ? Object.values(found) : [found[key]]
      }),
    [json]
  )

const wrong = (path: string, wanted: string, found: unknown) =>
  new Error(`${path} should be ${wanted}, but is ${JSON.stringify(found)}`)

export const textAt = (json: unknown, path: string): string => {
  const found = at(json, path)
  if (typeof found !== "string") throw wrong(path, "a text", found)
  return found
}

export const numberAt = (json: unknown, path: string): number => {
  const found = at(json, path)
  if (typeof found !== "number") throw wrong(path, "a number", found)
  return found
}

export const listAt = (json: unknown, path: string): ReadonlyArray<unknown> => {
  const found = at(json, path)
  if (!Array.isArray(found)) throw wrong(path, "a list", found)
  return found
}

/** The keys of an object, sorted. */
export const keysAt = (json: unknown, path: string): ReadonlyArray<string> =>
  Object.keys(keyed(path === "" ? json : at(json, path)) ?? {}).toSorted()

/** An amount in hundredths of its currency. */
export const centsAt = (json: unknown, path: string): number => Math.round(numberAt(json, path) * 100)

/** The sum of all amounts at a path with `*`, in hundredths. */
export const sumOfCents = (json: unknown, path: string): number =>
  all(json, path).reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0)

/** An answer with its text, in which no digit is lost. */
export interface Answer {
  readonly asked: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** Sends a request such as `GET /v1/games`. A text goes as it is, a form as a form, anything else as JSON. */
export type Ask = (request: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>

/** What was asked and answered, the last one last. */
export interface Talk {
  readonly requests: Array<string>
  readonly texts: Array<string>
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sentAs = (body: unknown): string | FormData | null => {
  if (body === undefined) return null
  return body instanceof FormData || typeof body === "string" ? body : JSON.stringify(body)
}

/** Asks with this key; without one, and without the header, if it is null. */
export const askAs =
  (origin: string, key: string | null, talk: Talk): Ask =>
  async (request, body, headers = {}) => {
    const [method = "", path = ""] = request.split(/ (.*)/)
    const sent = sentAs(body)
    const asked = `${request}${body === undefined || body instanceof FormData ? "" : ` ${sent?.toString()}`}`
    talk.requests.push(asked.slice(0, 500))
    const answer = await fetch(`${origin}${path}`, {
      method,
      body: sent,
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
        ...headers
      }
    })
    const text = await answer.text()
    if (path.startsWith("/v1")) talk.texts.push(text)
    return { asked, status: answer.status, headers: answer.headers, text, json: parsed(text) }
  }

/** What a request was answered with; fails unless it succeeded with this status. */
export const answered = async (answer: Answer | Promise<Answer>, status = 200): Promise<unknown> => {
  const { json, status: found, text } = await answer
  assert.equal(found, status, text.slice(0, 500))
  return json
}

const reading =
  <Found>(read: (json: unknown, path: string) => Found) =>
  async (answer: Answer | Promise<Answer>, path: string): Promise<Found> =>
    read(await answered(answer), path)

/** What a request that succeeded was answered with, at a path. */
export const readAt = reading(at)
export const readAll = reading(all)
export const readList = reading(listAt)
export const readText = reading(textAt)

/** The `data` of an error; fails unless it has this status and code. */
export const refused = async (answer: Answer | Promise<Answer>, status: number, code?: string): Promise<unknown> => {
  const { json, status: found, text } = await answer
  const expected = code === undefined ? { status } : { status, code }
  assert.deepEqual(
    { status: found, ...(code === undefined ? {} : { code: at(json, "code") }) },
    expected,
    text.slice(0, 500)
  )
  return at(json, "data")
}

/** The bytes that a link leads to, fetched without a key and unpacked if they are gzip. */
export const fetched = async (
  link: string
): Promise<{ readonly status: number; readonly bytes: Buffer; readonly raw: Buffer }> => {
  const answer = await fetch(link)
  const raw = Buffer.from(await answer.arrayBuffer())
  const isPacked = raw[0] === 0x1f && raw[1] === 0x8b
  return { status: answer.status, raw, bytes: isPacked ? gunzipSync(raw) : raw }
}

/** The JSON file of an export that has ended. */
export const fileOf = async (job: unknown): Promise<unknown> =>
  JSON.parse((await fetched(textAt(job, "downloadUrl"))).bytes.toString())
