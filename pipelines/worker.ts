import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { cluster } from "./flags/clusterFlag.ts"
import { textFlag } from "./flags/filledText.ts"
import { atMost, dialect, log, road } from "./flags/nightFlags.ts"
import { wholeNumberFlag } from "./flags/numberFlag.ts"
import { home, settingsOf, url } from "./flags/sharedFlags.ts"
import { standardError } from "./print/warnings.ts"

const atOnce = wholeNumberFlag("at-once", "N", { from: 1, to: 16 }).pipe(
  Flag.withDescription("Games that it reads at the same time; default: 2"),
  Flag.withDefault(2)
)
const name = textFlag("name", "NAME").pipe(
  Flag.withDescription("What it is called in Postgres; default: the name of this machine"),
  Flag.optional
)

/** One machine of many: does what nights of the fleet need. */
export const worker = Command.make(
  "worker",
  { cluster, atOnce, name, atMost, dialect, road, url, home, log },
  Effect.fnUntraced(function* ({ atOnce, cluster, log, name, ...flags }) {
    const { observe } = yield* Effect.promise(() => import("../src/observe/observe.ts"))
    const { workForFleet } = yield* Effect.promise(() => import("../src/fleet/fleet.ts"))
    const { fleetMember } = yield* Effect.promise(() => import("./fleet/fleetMember.ts"))
    const { fateOf } = yield* Effect.promise(() => import("./fleet/fateOf.ts"))
    const { fleetSteps } = yield* Effect.promise(() => import("./fleet/fleetSteps.ts"))
    const { nightEvent } = yield* Effect.promise(() => import("../src/observe/nightEvent.ts"))
    const settings = settingsOf(flags)
    const member = yield* fleetMember(settings, cluster, Option.getOrNull(name))
    const isText = log === "text"
    const ready = isText
      ? Console.error(`Worker ${member.name} of ${member.home} waits for nights`)
      : nightEvent("worker", { worker: member.name, home: member.home })
    const fate = yield* fateOf("Worker", member)
    return yield* observe(
      { form: log, write: yield* standardError(log) },
      Effect.flatMap(fleetSteps(settings, isText), (steps) =>
        Effect.flatMap(Effect.context<never>(), (context) =>
          workForFleet(member, {
            ...fate,
            atOnce,
            onReady: Effect.provideContext(ready, context),
            steps
          })
        )
      )
    )
  })
).pipe(
  Command.withDescription("Read games for a fleet: any number of machines share its nights, by Postgres and a bucket"),
  Command.withExamples([
    {
      command: "cardlake worker --cluster postgres://cardlake@db/fleet --home s3://lakes/cards",
      description: "On as many machines as you like; stop one at any time"
    },
    {
      command: "cardlake nightly --cluster postgres://cardlake@db/fleet --home s3://lakes/cards",
      description: "A night by the workers that are alive"
    }
  ])
)
