import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { cluster, maxNameLength, readingFlags } from "./flags/nightFlags.ts"
import { settingsOf, textFlag, wholeNumberFlag } from "./flags/sharedFlags.ts"
import { wrongUsage } from "./print/printAnswer.ts"
import { standardError } from "./print/standardError.ts"

const atOnce = wholeNumberFlag("at-once", "N", { from: 1, to: 16 }).pipe(
  Flag.withDescription("Games that it reads at the same time; default: 2"),
  Flag.withDefault(2)
)
/** A name that Postgres can store with what is added to it. */
const name = textFlag("name", "NAME").pipe(
  Flag.filter(
    (text) => text.length <= maxNameLength,
    () => `Expected a name of at most ${maxNameLength} characters`
  ),
  Flag.withDescription("What it is called in Postgres; default: the name of this machine"),
  Flag.optional
)

/** One machine of many: does what nights of the fleet need. */
export const worker = Command.make(
  "worker",
  { cluster, atOnce, name, ...readingFlags },
  Effect.fnUntraced(function* ({ atOnce, cluster, log, name, ...flags }) {
    if (Option.isNone(cluster))
      return yield* wrongUsage(
        "A worker needs the Postgres of its fleet. Name it with --cluster postgres://user:password@host/database, or with CARDLAKE_CLUSTER"
      )
    const { observe } = yield* Effect.promise(() => import("../src/night/observe/observe.ts"))
    const { stamped } = yield* Effect.promise(() => import("./fleet/fleetMember.ts"))
    const { workerOfFleet } = yield* Effect.promise(() => import("./fleet/workerOfFleet.ts"))
    return yield* observe(
      stamped({ form: log, write: yield* standardError(log) }),
      workerOfFleet({
        settings: settingsOf(flags),
        postgres: cluster.value,
        name: Option.getOrNull(name),
        atOnce,
        form: log
      })
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
