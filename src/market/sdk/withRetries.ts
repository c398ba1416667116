import type { ApiError } from "./ApiError.ts"
import type { Policy, Signal } from "./ClientOptions.ts"

/** Throws the reason of an aborted signal. */
export const throwIfAborted = (signal: Signal | undefined): void => {
  if (signal?.aborted === true) throw signal.reason
}

/** Waits unless the signal aborts. */
export const sleep = async (millis: number, signal: Signal | undefined): Promise<void> => {
  throwIfAborted(signal)
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, millis)
    signal?.addEventListener("abort", end)
  })
  throwIfAborted(signal)
}

const minuteMillis = 60_000

/** Waits this much longer than requested, because clocks differ. */
const marginMillis = 20

/** The account's rate limit, shared by all calls of a client. */
export interface RateGate {
  /** Updates the limit from an answer's headers: requests per minute, and those available now. */
  readonly note: (limit: number, remaining: number) => void
  /** Blocks all requests for this time. */
  readonly close: (millis: number) => void
  /** Waits for a turn, at most `maxMillis`; a request sent then may get a 429. Returns the wait. */
  readonly turn: (maxMillis: number, signal: Signal | undefined) => Promise<number>
  /** Ends a turn, with or without an answer. */
  readonly done: () => void
}

/** Creates a gate that delays requests when the limit is used up, instead of having them refused. */
export const makeRateGate = (): RateGate => {
  let [intervalMillis, left, underWay, opensAt] = [0, Infinity, 0, 0]
  let countedAt = performance.now()
  /** Refills the limit evenly up to now. */
  const refill = (): void => {
    const now = performance.now()
    if (intervalMillis > 0) left = Math.min(left + (now - countedAt) / intervalMillis, minuteMillis / intervalMillis)
    countedAt = now
  }
  const waitMillis = (): number => {
    const forLeft = left < 0 ? -left * intervalMillis + marginMillis : 0
    return Math.max(forLeft, opensAt - performance.now(), 0)
  }
  return {
    note: (limit, remaining) => {
      if (!(limit >= 1 && remaining >= 0)) return
      intervalMillis = minuteMillis / limit
      // The header does not count other requests in progress or waiting.
      left = remaining - (underWay - 1)
      countedAt = performance.now()
    },
    close: (millis) => {
      opensAt = Math.max(opensAt, performance.now() + millis)
    },
    turn: async (maxMillis, signal) => {
      refill()
      left -= 1
      underWay += 1
      const millis = waitMillis()
      if (millis === 0 || millis > maxMillis) return 0
      await sleep(millis, signal)
      return millis
    },
    done: () => {
      underWay -= 1
    }
  }
}

/** The result of an attempt. */
export type Outcome<A> = { readonly answer: A } | Failed

export interface Failed {
  readonly error: ApiError
  /** True if the failure is transient and another attempt may succeed. */
  readonly isPassing: boolean
  /** The wait that the answer requests; null if there is none. */
  readonly waitMillis: number | null
}

const firstWaitMillis = 500
const maxWaitMillis = 8_000

/** Returns a delay that doubles with each try, minus up to a quarter as jitter. */
const backoffMillis = (tries: number): number =>
  Math.min(firstWaitMillis * 2 ** (tries - 1), maxWaitMillis) * (1 - Math.random() / 4)

/** True for a 429 of the account's bucket. Other buckets do not affect other operations. */
const isOfAccount = ({ data, status }: ApiError): boolean =>
  status === 429 && (data["bucket"] === undefined || data["bucket"] === "global")

/** Retries transient failures. The waiting time limits retries of a 429, a count limits the others. */
export const withRetries = async <A>(
  attempt: () => Promise<Outcome<A>>,
  { maxRateWaitMillis, retries, signal }: Policy,
  gate: RateGate
): Promise<A> => {
  let [failures, refusals, waitedMillis] = [0, 0, 0]
  const inTurn = async (): Promise<Outcome<A>> => {
    try {
      waitedMillis += await gate.turn(maxRateWaitMillis - waitedMillis, signal)
      return await attempt()
    } finally {
      gate.done()
    }
  }
  for (;;) {
    throwIfAborted(signal)
    const outcome = await inTurn()
    if ("answer" in outcome) return outcome.answer
    const { error, isPassing, waitMillis } = outcome
    const isLimited = error.status === 429
    const tries = isLimited ? (refusals += 1) : (failures += 1)
    const millis = waitMillis ?? backoffMillis(tries)
    const isTooLong = isLimited ? waitedMillis + millis > maxRateWaitMillis : millis > maxRateWaitMillis
    if (!isPassing || isTooLong || failures > retries) throw error
    if (isOfAccount(error)) gate.close(millis)
    // Waits slightly longer than requested, with jitter.
    await sleep(millis + backoffMillis(1) / 4, signal)
    waitedMillis += isLimited ? millis : 0
  }
}
