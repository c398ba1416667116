import { scrubbing } from "../../src/night/observe/Observation.ts"
import { Effect, Layer, type Redacted } from "effect"
import { workForFleet } from "../../src/night/cluster/fleet.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { marketplaceServices } from "../settings/services.ts"
import { fateOf, fleetMember, tellFleet, sayingStop } from "./fleetMember.ts"
import { fleetSteps } from "./fleetSteps.ts"
import { awaitStore } from "./fleetStore.ts"

/** A clock that is so far from the store's is worth a word. */
const saidFromMillis = 30_000

/** A worker: settings that cannot work end it at once, a store or Postgres that is away is waited for. */
export const workerOfFleet = Effect.fnUntraced(function* (asked: {
  readonly settings: Record<string, string>
  readonly postgres: Redacted.Redacted
  readonly name: string | null
  readonly atOnce: number
  readonly form: LogForm
}) {
  const { atOnce, form, postgres, settings } = asked
  const member = yield* fleetMember(settings, postgres, asked.name)
  const { home, name } = member
  const tell = tellFleet(form)
  const scrub = yield* scrubbing
  yield* Effect.scoped(Layer.build(marketplaceServices(settings)))
  const fate = yield* fateOf("Worker", member, tell)
  const told = (sentence: string) => (form === "text" ? tell("worker", sentence) : Effect.void)
  const work = yield* fleetSteps(settings, told, fate.onLost)
  yield* sayingStop((signal) => {
    const left = [...work.reading]
    const says = left.length === 0 ? "it was reading nothing" : `another worker goes on with ${left.join(", ")}`
    return tell("stop", `Worker ${name} stops: ${signal}; ${says}`, { worker: name, games: left })
  })
  let isTold = false
  yield* awaitStore(settings, (reason) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return tell("away", `${scrub(reason)}. Worker ${name} waits for the store`)
    })
  )
  const ready = Effect.gen(function* () {
    const ahead = yield* work.aheadMillis
    if (Math.abs(ahead) >= saidFromMillis) yield* tell("clock", clockText(ahead), { aheadSeconds: ahead / 1000 })
    yield* tell("worker", `Worker ${name} of ${home} waits for nights`, { worker: name, home })
  })
  const context = yield* Effect.context<never>()
  const working = workForFleet(member, {
    ...fate,
    atOnce,
    onReady: Effect.provideContext(ready, context),
    steps: work.steps
  })
  return yield* Effect.raceFirst(working, work.watching)
}, Effect.scoped)

const clockText = (aheadMillis: number): string =>
  `The clock of this machine is ${Math.abs(Math.round(aheadMillis / 1000))} seconds ${aheadMillis > 0 ? "ahead of" : "behind"} the store's. What is read has the store's time; set the clock`
