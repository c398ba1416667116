/** An answer of the marketplace. */
export interface Answered {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

export interface Call {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly body?: unknown
  /** The Idempotency-Key: what is sent again under the same one is done once. */
  readonly once?: string
}

/** Where the marketplace is; after a kill, its new address as soon as it is up again. */
export interface Address {
  readonly url: () => Promise<string>
}

/** Hears of each answered call how long it took, in milliseconds. */
export type Note = (call: Call, millis: number) => void

/** Sends a call; undefined when its answer is lost. */
export const send = async (address: Address, key: string, call: Call, note: Note): Promise<Answered | undefined> => {
  const url = await address.url()
  const { body, method, once, path } = call
  const isFile = body instanceof FormData
  const headers = {
    authorization: `Bearer ${key}`,
    ...(isFile ? {} : { "content-type": "application/json" }),
    ...(once === undefined ? {} : { "idempotency-key": once })
  }
  const began = performance.now()
  try {
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) })
    })
    const json = (await answer.json()) as Answered["json"]
    note(call, performance.now() - began)
    return { status: answer.status, json }
  } catch {
    return undefined
  }
}

/** Sends a call until it is answered. Fails if the answer is not a success. */
export const insist = async (address: Address, key: string, call: Call, note: Note): Promise<Answered["json"]> => {
  for (;;) {
    const answered = await send(address, key, call, note)
    if (answered === undefined) continue
    if (answered.status < 300) return answered.json
    throw new Error(`${call.method} ${call.path}: ${answered.status} ${JSON.stringify(answered.json)}`)
  }
}
