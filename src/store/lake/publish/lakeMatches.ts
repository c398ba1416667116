import { Effect } from "effect"
import { type Current, Home } from "../../home/Home.ts"
import { isLakeTooNew } from "../../../feed/reading/LakeError.ts"
import { lakePlan } from "./lakePlan.ts"
import { noneStopped } from "./StoppedGames.ts"
import { lakeMadeFrom } from "./madeFrom.ts"
import { openLake } from "./openLake.ts"

/**
 * Whether `lake.duckdb` was made from what is published. It was not after a run that died between commit and swap,
 * in a home that was moved, if the file was damaged or deleted, or if another release built it. Fails if a later DuckDB wrote it.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current, stopped = noneStopped) {
  if (Object.keys(current.games).length === 0 || !(yield* Home).place.buildsLake) return true
  // A missing file is named by the publication that needs it; until then the lake stays as it is.
  const plan = yield* Effect.catchTag(lakePlan(current, new Map(), stopped), "FileDamaged", () => Effect.succeed(null))
  if (plan === null) return true
  const known = yield* Effect.flatMap(openLake, lakeMadeFrom).pipe(
    Effect.scoped,
    Effect.catchIf(
      (error) => !isLakeTooNew(error),
      () => Effect.succeed(new Map<string, string>())
    )
  )
  return [...plan.sections].every(([section, inputs]) => known.get(section) === inputs)
})
