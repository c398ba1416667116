/** What of an `AbortSignal` is used; every runtime's own is one. */
export interface Signal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** A `fetch`: the runtime's own, or one with a proxy. */
export type Fetch = (address: string, init?: never) => Promise<unknown>

export interface ClientOptions {
  /** Address of the marketplace, with or without `/v1` at its end. */
  readonly url: string
  /** The API key. It goes to this address alone, and into no error. */
  readonly key: string
  /** How long one attempt may take, its body included. Default: 30,000. */
  readonly timeoutMillis?: number | undefined
  /** How often a request that failed in passing (no answer, 408, 5xx) is sent again. Default: 3. */
  readonly retries?: number | undefined
  /** How long one call waits in all for rate limits before it fails with the 429. Default: 60,000. */
  readonly maxRateWaitMillis?: number | undefined
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
}

/** What a single call may have of its own. */
export interface RequestOptions {
  /** Ends the call, also while it waits: it then fails with the signal's reason. */
  readonly signal?: Signal | undefined
  /** As in {@link ClientOptions}. */
  readonly timeoutMillis?: number | undefined
  readonly retries?: number | undefined
  readonly maxRateWaitMillis?: number | undefined
  /** Of a write. Default: a new one for each call, the same in all of its attempts. */
  readonly idempotencyKey?: string | undefined
}

/** How long things may take, and how often they are tried. */
export interface Policy {
  readonly signal: Signal | undefined
  readonly timeoutMillis: number
  readonly retries: number
  readonly maxRateWaitMillis: number
}

export const policyOf = (client: Partial<ClientOptions>, call: RequestOptions = {}): Policy => ({
  signal: call.signal,
  timeoutMillis: call.timeoutMillis ?? client.timeoutMillis ?? 30_000,
  retries: call.retries ?? client.retries ?? 3,
  maxRateWaitMillis: call.maxRateWaitMillis ?? client.maxRateWaitMillis ?? 60_000
})

/** Its own `fetch`, or the runtime's, looked up with each request: programs replace it. */
export const fetchOf = (client: ClientOptions): Fetch =>
  client.fetch ?? ((address, init) => globalThis.fetch(address, init))
