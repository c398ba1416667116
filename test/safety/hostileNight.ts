import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices } from "../../pipelines/settings/services.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { quickPolicy } from "../feed/client/StrangeServer.ts"

/**
 * A night in a process of its own, with short waits.
 * Prints its verdicts, or why it failed, and its peak memory.
 */
const [url = "", key = "", home = ""] = process.argv.slice(2)

const services = allServices({
  CARDLAKE_URL: url,
  CARDLAKE_API_KEY: key,
  CARDLAKE_HOME: home,
  CARDLAKE_AT_MOST: "20 seconds"
}).pipe(Layer.provideMerge(NodeServices.layer))

const night = Effect.gen(function* () {
  const { games } = yield* Effect.provideContext(
    runNight([], () => {}),
    yield* Layer.build(services)
  )
  return { verdicts: Object.fromEntries(games.map(({ gameId, verdict }) => [gameId, verdict])), said: games }
}).pipe(
  Effect.catch(({ message }) => Effect.succeed({ verdicts: {}, said: message })),
  Effect.provideService(RetryPolicy, { ...quickPolicy, times: 1, timeoutMillis: 3000, maxRateWaitMillis: 3000 }),
  Effect.provideService(References.MinimumLogLevel, "Fatal"),
  Effect.scoped
)

const found = await Effect.runPromise(night)
process.stdout.write(JSON.stringify({ ...found, megabytes: process.resourceUsage().maxRSS / 1024 }))
