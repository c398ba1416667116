import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { lakePlan } from "./lakePlan.ts"
import { lakeMadeFrom } from "./madeFrom.ts"
import { openLake } from "./openLake.ts"

/**
 * Whether `lake.duckdb` is made from what is published. It is not when a run died between its commit or a new part
 * and the swap of the lake, when the file was damaged or deleted, when the home was moved (its views name the Parquet
 * by its path), or when another release built it.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current) {
  if (Object.keys(current.games).length === 0) return true
  // A file that is missing is named by the publication that needs it; without one the lake stays as it is.
  const plan = yield* Effect.catchTag(lakePlan(current), "FileDamaged", () => Effect.succeed(null))
  if (plan === null) return true
  const known = yield* Effect.flatMap(openLake, lakeMadeFrom).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(new Map<string, string>()))
  )
  return [...plan.sections].every(([section, inputs]) => known.get(section) === inputs)
})
