/** The used part of an `AbortSignal`. Every runtime's own signal fits. */
export interface Signal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** A `fetch`: the runtime's, or one with a proxy. */
export type Fetch = (address: string, init?: never) => Promise<unknown>

export interface ClientOptions {
  /** URL of the marketplace, with or without a final `/v1`. */
  readonly url: string
  /** The API key. It is sent only to this URL and never appears in errors. */
  readonly key: string
  /** Timeout of one attempt, including its body. Default: 30,000. */
  readonly timeoutMillis?: number | undefined
  /** Number of retries after a transient failure (no answer, 408, 5xx). Default: 3. */
  readonly retries?: number | undefined
  /** Maximum total wait of a call for rate limits, before it fails with the 429. Default: 60,000. */
  readonly maxRateWaitMillis?: number | undefined
  /** The `fetch` to use. Default: the runtime's. */
  readonly fetch?: Fetch | undefined
}

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call, including its waits. The call fails with the signal's reason. */
  readonly signal?: Signal | undefined
  /** As in {@link ClientOptions}. */
  readonly timeoutMillis?: number | undefined
  readonly retries?: number | undefined
  readonly maxRateWaitMillis?: number | undefined
  /** Key of a write. Default: a new one for each call, used in all of its attempts. */
  readonly idempotencyKey?: string | undefined
}

/** Timeouts and numbers of retries. */
export interface Policy {
  readonly signal: Signal | undefined
  readonly timeoutMillis: number
  readonly retries: number
  readonly maxRateWaitMillis: number
}

export const choosePolicy = (client: Partial<ClientOptions>, call: RequestOptions = {}): Policy => ({
  signal: call.signal,
  timeoutMillis: call.timeoutMillis ?? client.timeoutMillis ?? 30_000,
  retries: call.retries ?? client.retries ?? 3,
  maxRateWaitMillis: call.maxRateWaitMillis ?? client.maxRateWaitMillis ?? 60_000
})

/** Returns the client's `fetch`, or the runtime's, looked up at each request because programs replace it. */
export const chooseFetch = (client: ClientOptions): Fetch =>
  client.fetch ?? ((address, init) => globalThis.fetch(address, init))
