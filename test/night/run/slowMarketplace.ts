import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { setTimeout } from "node:timers/promises"
import { runNight } from "../../../src/night/run/runNight.ts"
import { allServices } from "../../../pipelines/settings/services.ts"
import type { FaultPlan } from "../../../src/market/faults/FaultPlan.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { sampleFolder } from "../../market/Served.ts"
import { remove, temporaryFolder } from "../../pipelines/cli.ts"
import { type Exchange, startProxy } from "../../pipelines/proxy.ts"

export const games = ["clockwork-orchard", "tidewrack"]

/** A sandbox behind a proxy that makes pages wait, and nights with a bound in one home. */
export const slowMarketplace = Effect.fnUntraced(function* (
  isHeld: (exchange: Exchange) => boolean,
  faults: FaultPlan = {}
) {
  const home = yield* Effect.acquireRelease(Effect.sync(temporaryFolder), (home) => Effect.sync(() => remove(home)))
  const sandbox = yield* serveSandbox({ catalogue: sampleFolder, faults })
  const asked: Array<string> = []
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startProxy(sandbox.url, async (exchange) => {
        asked.push(`${exchange.path} ${exchange.asked}`)
        if (isHeld(exchange)) await setTimeout(60_000, undefined, { ref: false })
        return exchange.answer
      })
    ),
    (proxy) => Effect.sync(proxy.stop)
  )
  const night = Effect.fnUntraced(function* (atMost: string) {
    const start = performance.now()
    const settings = {
      CARDLAKE_URL: proxy.url,
      CARDLAKE_API_KEY: sandbox.key,
      CARDLAKE_HOME: home,
      CARDLAKE_AT_MOST: atMost
    }
    const services = yield* Layer.build(Layer.provideMerge(allServices(settings), NodeServices.layer))
    const result = yield* Effect.result(
      Effect.provideContext(
        runNight(games, () => {}),
        services
      )
    )
    return { result, seconds: (performance.now() - start) / 1000 }
  }, Effect.scoped)
  return { asked, night }
})
/** The report of a night that made one. */
export const reportOf = <A>(result: { readonly _tag: string; readonly success?: A }) => {
  assert.isDefined(result.success)
  return result.success
}
