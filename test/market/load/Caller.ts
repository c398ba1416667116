export interface Call {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly body?: unknown
  /** The Idempotency-Key. */
  readonly once?: string
}

/** Hears of each answered call how long it took, in milliseconds. */
export type Note = (call: Call, millis: number) => void

/** Sends a call. Fails if the answer is not a success. */
export const insist = async (
  url: string,
  key: string,
  call: Call,
  note: Note
): Promise<Readonly<Record<string, unknown>>> => {
  const { body, method, once, path } = call
  const isFile = body instanceof FormData
  const headers = {
    authorization: `Bearer ${key}`,
    ...(isFile ? {} : { "content-type": "application/json" }),
    ...(once === undefined ? {} : { "idempotency-key": once })
  }
  const began = performance.now()
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) })
  })
  const json = (await answer.json()) as Readonly<Record<string, unknown>>
  note(call, performance.now() - began)
  if (answer.status < 300) return json
  throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`)
}
