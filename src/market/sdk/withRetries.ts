import type { ApiError } from "./ApiError.ts"
import type { Policy, Signal } from "./ClientOptions.ts"

/** Fails with the reason of a signal that was aborted. */
export const throwIfAborted = (signal: Signal | undefined): void => {
  if (signal?.aborted === true) throw signal.reason
}

/** Waits, unless the signal ends it. */
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

/** Clocks are not that exact: a little later than the marketplace would answer. */
const marginMillis = 20

/** The account's own rate limit, which all calls of a client share. */
export interface RateGate {
  /** What the headers of an answer say: how many requests a minute, and how many at once now. */
  readonly note: (limit: number, remaining: number) => void
  /** Nothing may be sent for so long. */
  readonly close: (millis: number) => void
  /** Waits for a turn, but not longer than `maxMillis`: the marketplace then says what it thinks. Gives the wait. */
  readonly turn: (maxMillis: number, signal: Signal | undefined) => Promise<number>
  /** The request that had a turn has its answer, or will get none. */
  readonly done: () => void
}

/** Spreads requests once nothing is left, instead of sending what would be refused. */
export const makeRateGate = (): RateGate => {
  let [intervalMillis, left, underWay, opensAt] = [0, Infinity, 0, 0]
  let countedAt = performance.now()
  /** What is left now, as it fills again evenly. */
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
      // The answer does not count the others that are on their way or wait for their turn.
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

/** How an attempt ended. */
export type Outcome<A> = { readonly answer: A } | Failed

export interface Failed {
  readonly error: ApiError
  /** It tends to pass: another attempt may succeed. */
  readonly isPassing: boolean
  /** What the answer asks to wait; null if it does not say. */
  readonly waitMillis: number | null
}

const firstWaitMillis = 500
const maxWaitMillis = 8_000

/** Doubles with each try, minus up to a quarter, so that not all come back at once. */
const backoffMillis = (tries: number): number =>
  Math.min(firstWaitMillis * 2 ** (tries - 1), maxWaitMillis) * (1 - Math.random() / 4)

/** A 429 of another bucket than the account's own says nothing about other operations. */
const isOfAccount = ({ data, status }: ApiError): boolean =>
  status === 429 && (data["bucket"] === undefined || data["bucket"] === "global")

/** Repeats an attempt while its failure tends to pass; a 429 is bounded by the time waited, the rest by a number. */
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
    // Slightly later than asked, and no two at once.
    await sleep(millis + backoffMillis(1) / 4, signal)
    waitedMillis += isLimited ? millis : 0
  }
}
