import type { ApiError } from "./ApiError.ts"
import type { Policy } from "./ClientOptions.ts"
import type { RateGate } from "./RateGate.ts"
import { sleep, throwIfAborted } from "./sleep.ts"

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
