import { hostname } from "node:os"
import { Console, Effect, type Redacted } from "effect"
import { randomHex } from "../../src/feed/disk/random.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { clusterName } from "../../src/night/cluster/clusterPostgres.ts"
import { type FailurePolicy, startAgain } from "../../src/night/cluster/fleet.ts"
import { nightEvent } from "../../src/night/observe/Observation.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { findBucket } from "../flags/inHome.ts"
import { maxNameLength } from "../flags/nightFlags.ts"
import { wrongUsage } from "../print/printAnswer.ts"
import { stamp } from "../print/standardError.ts"

/** Removes trailing slashes, so that all members of a home join the same fleet. */
export const fleetHome = (address: string): string => address.replace(/\/+$/, "")

/** Returns this process's identity in the fleet of a home. The home must be in a bucket that all machines reach. */
export const fleetMember = Effect.fnUntraced(function* (
  settings: Record<string, string>,
  postgres: Redacted.Redacted,
  name: string | null
) {
  const home = yield* findBucket(settings)
  if (home === null) return yield* wrongUsage("A fleet needs a home in a bucket: --home s3://bucket/prefix")
  const suffix = yield* randomHex(3)
  return { postgres, home: fleetHome(home), name: `${name ?? hostname().slice(0, maxNameLength)}-${suffix}` }
})

/** Reports an event of a member: a sentence for people, an event for machines. */
export type Tell = (event: string, sentence: string, figures?: Readonly<Record<string, unknown>>) => Effect.Effect<void>

export const tellFleet =
  (form: LogForm): Tell =>
  (event, sentence, figures = {}) =>
    form === "json"
      ? nightEvent(event, { ...figures, sentence })
      : Effect.suspend(() => Console.error(`${stamp()} ${shownText(sentence)}`))

/** Reports only on the first call. */
export const once = (say: (reason: string) => Effect.Effect<void>) => {
  let isReported = false
  return (reason: string) =>
    Effect.suspend(() => {
      if (isReported) return Effect.void
      isReported = true
      return say(reason)
    })
}

/** Waits for Postgres, and restarts the process when its sessions are closed. */
export const failurePolicy = Effect.fnUntraced(function* (
  what: "Worker" | "Schedule",
  { name, postgres }: { readonly name: string; readonly postgres: Redacted.Redacted },
  tell: Tell
) {
  const context = yield* Effect.context<never>()
  const at = clusterName(postgres)
  const onOutage = once((reason) =>
    tell("away", `Postgres does not answer at ${at} (${reason}). ${what} ${name} waits for it`)
  )
  const onLost = (reason: string) =>
    Effect.andThen(tell("again", `${what} ${name} restarts: ${reason}. Others take over its work`), startAgain)
  return {
    onOutage: (reason) => Effect.provideContext(onOutage(reason), context),
    onLost: (reason) => Effect.provideContext(onLost(reason), context)
  } satisfies FailurePolicy
})

const signals = ["SIGINT", "SIGTERM"] as const

/** Reports the signal that stops a member, before the member releases its work. */
export const sayingStop = Effect.fnUntraced(function* (say: (signal: string) => Effect.Effect<void>) {
  const context = yield* Effect.context<never>()
  const onSignal = (signal: NodeJS.Signals) => Effect.runSyncWith(context)(say(signal))
  yield* Effect.acquireRelease(
    // This handler runs before those that interrupt the program, which may end meanwhile.
    Effect.sync(() => signals.forEach((signal) => process.prependOnceListener(signal, onSignal))),
    () => Effect.sync(() => signals.forEach((signal) => process.removeListener(signal, onSignal)))
  )
})
