import { Effect } from "effect"
import type { PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const of = (told: string): string => `with told as materialized (\n${told})\n${queryNamed("expansion/series")}`
const ofOne = of(queryNamed("expansion/values"))
const ofKept = of(queryNamed("expansion/kept_values"))
const everyValue = queryNamed("expansion/every_value")

interface Wanted {
  readonly game: string
  readonly id: bigint
  /** The first day; null = of all. */
  readonly from: string | null
  readonly withHistory: boolean
}

/** What one of every card of a set was worth, day by day. A site has every set, so there all are asked for at once. */
export const valuesOfSet = Effect.fnUntraced(function* (asked: PageRequest, { withHistory, ...parameters }: Wanted) {
  if (asked.copy === null || withHistory) {
    return yield* asked.lake.rows("Read the values", ofOne, { ...parameters, with_history: withHistory })
  }
  yield* asked.lake.kept("Read the values of every set", everyValue)
  return yield* asked.lake.rows("Read the values", ofKept, parameters)
})
