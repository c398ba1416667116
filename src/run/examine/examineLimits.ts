import { Effect } from "effect"
import { millisAtLimit } from "../../client/LearnedBucket.ts"
import { Marketplace } from "../../client/Marketplace.ts"
import { RetryPolicy } from "../../client/RetryPolicy.ts"
import { amountOf, grouped } from "../../diff/amountOf.ts"
import { type GameSize, nightRequests } from "./nightRequests.ts"

/** What a night over every game will need. */
export interface NightNeeds {
  readonly games: number
  readonly requests: number
  /** Requests a minute, as the answers say; null = they do not. */
  readonly limit: number | null
  /** How long its requests take at that limit; null = no limit is known. */
  readonly seconds: number | null
}

/** 50 s, 1.9 min, 42 min, 3.5 h. */
const durationText = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 10) return `${minutes.toFixed(1)} min`
  return minutes < 120 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`
}

/** The limits that the marketplace's answers have stated, and how long a night over these games takes at them. */
export const examineLimits = Effect.fnUntraced(function* (sizes: ReadonlyArray<GameSize>) {
  const marketplace = yield* Marketplace
  const { minuteMillis } = yield* RetryPolicy
  const games = sizes.length
  const requests = nightRequests(sizes)
  const limit = marketplace.rateLimit()?.limit ?? null
  const seconds = limit === null ? null : millisAtLimit(limit, requests, minuteMillis) / 1000
  const needs = `a night over ${amountOf(games, "game")} needs about ${amountOf(requests, "request")}`
  const night: NightNeeds = { games, requests, limit, seconds }
  if (limit === null || seconds === null) return { says: `The answers state no limit; ${needs}`, night }
  const took = seconds === 0 ? "the limit does not hold it back" : durationText(seconds)
  return { says: `${grouped(limit)} requests a minute are allowed, as the answers say; ${needs}: ${took}`, night }
})
