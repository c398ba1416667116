import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { lakePlan } from "./lakePlan.ts"
import { lakeMadeFrom } from "./madeFrom.ts"
import { openLake } from "./openLake.ts"

/**
 * Whether `lake.duckdb` is made from what is published. It is not when a run died between its commit or a new part and the
 * swap of the lake, when the file was damaged or deleted, when the home was moved (its views name the Parquet by its path),
 * or when another release built it.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current) {
  if (Object.keys(current.games).length === 0) return true
  const { sections } = yield* lakePlan(current)
  const known = yield* Effect.flatMap(openLake, lakeMadeFrom).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(new Map<string, string>()))
  )
  return [...sections].every(([section, inputs]) => known.get(section) === inputs)
})
