import { Result } from "effect"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/badRequest.ts"

/** Both days belong to it. */
export interface HistoryPeriod {
  readonly from: string
  readonly to: string
}

const dayMillis = 86_400_000
const defaultDays = 30
const maxDays = 365

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** `to` is today by default, `from` 30 days before it; 365 days apart at most. Beyond the spec: section 7. */
export const historyPeriod = (
  asked: { readonly from?: string; readonly to?: string },
  nowMillis: number
): Result.Result<HistoryPeriod, BadRequest> => {
  const to = asked.to ?? dayOf(nowMillis)
  const from = asked.from ?? dayOf(Date.parse(to) - defaultDays * dayMillis)
  if (from > to) return Result.fail(badRequest("from", `${from} is after to, ${to}`))
  return Date.parse(to) - Date.parse(from) > maxDays * dayMillis
    ? Result.fail(badRequest("from", `is more than ${maxDays} days before to, ${to}`))
    : Result.succeed({ from, to })
}
