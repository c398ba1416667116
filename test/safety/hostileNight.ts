import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { join } from "node:path"
import { writeCapture } from "../../src/night/run/capture/captureFile.ts"
import { captureService } from "../../src/night/run/capture/captureService.ts"
import { proposeDialect } from "../../src/night/run/capture/proposeDialect.ts"
import { unreadParts } from "../../src/night/run/capture/capturedPages.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { allServices, captureServices } from "../../pipelines/settings/services.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { quickPolicy } from "../feed/client/StrangeServer.ts"

/**
 * A night in a process of its own, with short waits; then a capture of the same game.
 * Prints the night's verdicts, or why it failed, and the peak memory of both.
 */
const [url = "", key = "", home = ""] = process.argv.slice(2)

const settings = { CARDLAKE_URL: url, CARDLAKE_API_KEY: key, CARDLAKE_HOME: home, CARDLAKE_AT_MOST: "20 seconds" }
const services = allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))

const night = Effect.gen(function* () {
  const { games } = yield* Effect.provideContext(
    runNight([], () => {}),
    yield* Layer.build(services)
  )
  return { verdicts: Object.fromEntries(games.map(({ gameId, verdict }) => [gameId, verdict])), said: games }
}).pipe(Effect.catch(({ message }) => Effect.succeed({ verdicts: {}, said: message })))

const captured = captureService("wild").pipe(
  Effect.tap(({ capture }) => Effect.sync(() => [unreadParts(capture), proposeDialect(capture)])),
  Effect.flatMap(({ capture }) => writeCapture(join(home, "capture.json"), capture)),
  Effect.ignore,
  Effect.provide(captureServices(settings).pipe(Layer.provideMerge(NodeServices.layer)))
)

const both = Effect.tap(night, () => captured).pipe(
  Effect.provideService(RetryPolicy, { ...quickPolicy, times: 1, timeoutMillis: 3000, maxRateWaitMillis: 3000 }),
  Effect.provideService(References.MinimumLogLevel, "Fatal"),
  Effect.scoped
)

const found = await Effect.runPromise(both)
process.stdout.write(JSON.stringify({ ...found, megabytes: process.resourceUsage().maxRSS / 1024 }))
