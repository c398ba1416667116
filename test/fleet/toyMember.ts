import { appendFileSync } from "node:fs"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { clusterPostgres } from "../../src/fleet/clusterPostgres.ts"
import { cluster } from "../../src/fleet/cluster.ts"
import { askNight, gameLayer, nightLayer, readGames } from "../../src/fleet/fleetNight.ts"
import { FleetSteps } from "../../src/fleet/FleetSteps.ts"

// A member of a fleet whose steps only write down that they happened: HOME URL LOG worker NAME MILLIS, or HOME URL LOG night NAME GAMES.
const [home = "", url = "", log = "", what = "", name = "", more = ""] = process.argv.slice(2)
const postgres = clusterPostgres(Redacted.make(url), `toy ${name}`)
const member = cluster({ home, worker: what === "worker" ? name : null }).pipe(Layer.provide(postgres))

const noted = (step: string, night: string, gameId = "") =>
  Effect.sync(() => appendFileSync(log, `${JSON.stringify({ at: Date.now(), worker: name, step, night, gameId })}\n`))

const steps = Layer.succeed(FleetSteps, {
  plan: (night, games) => Effect.as(noted("plan", night), games),
  read: (night, gameId) =>
    noted("begin", night, gameId).pipe(
      Effect.andThen(Effect.sleep(Number(more))),
      Effect.andThen(noted("end", night, gameId)),
      Effect.as({ gameId, verdict: "published", reason: null })
    ),
  publish: (night, games) =>
    noted("publish", night).pipe(
      Effect.andThen(Effect.sleep(Number(more))),
      Effect.andThen(noted("published", night)),
      Effect.as({ night, verdict: "published", reason: null, games })
    )
})

const program =
  what === "worker"
    ? readGames(1).pipe(
        Effect.provide(
          Layer.mergeAll(nightLayer, gameLayer).pipe(Layer.provideMerge(steps), Layer.provideMerge(member))
        )
      )
    : askNight(name, more.split(",")).pipe(
        Effect.tap((end) => Effect.sync(() => process.stdout.write(JSON.stringify(end)))),
        Effect.provide(member)
      )

NodeRuntime.runMain(program)
