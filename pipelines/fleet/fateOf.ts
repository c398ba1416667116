import { Effect, type Redacted } from "effect"
import { clusterName } from "../../src/night/cluster/clusterPostgres.ts"
import type { Fate } from "../../src/night/cluster/fleet.ts"
import { startAgain } from "../../src/night/cluster/startAgain.ts"
import type { Tell } from "./tellFleet.ts"

/** A member of the fleet that waits for Postgres, and starts again where its sessions there are lost. */
export const fateOf = Effect.fnUntraced(function* (
  what: "Worker" | "Schedule",
  { name, postgres }: { readonly name: string; readonly postgres: Redacted.Redacted },
  tell: Tell
) {
  const context = yield* Effect.context<never>()
  const at = clusterName(postgres)
  let isTold = false
  const onAway = (reason: string) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return tell("away", `Postgres does not answer at ${at} (${reason}). ${what} ${name} waits for it`)
    })
  const onLost = (reason: string) =>
    Effect.andThen(tell("again", `${what} ${name} starts again: ${reason}. Others go on with what it did`), startAgain)
  return {
    onAway: (reason) => Effect.provideContext(onAway(reason), context),
    onLost: (reason) => Effect.provideContext(onLost(reason), context)
  } satisfies Fate
})
