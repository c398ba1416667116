import { newFolder } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { homeOf } from "../../pipelines/nights.ts"
import { setTimeout } from "node:timers/promises"
import type { FaultPlan } from "../../../src/market/faults/FaultPlan.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { sampleFolder } from "../../market/Served.ts"
import { type Exchange, proxyFor } from "../../pipelines/proxy.ts"

export const games = ["clockwork-orchard", "tidewrack"]

/** A sandbox behind a proxy that makes pages wait, and nights with a bound in one home. */
export const slowMarketplace = Effect.fnUntraced(function* (
  isHeld: (exchange: Exchange) => boolean,
  faults: FaultPlan = {}
) {
  const sandbox = yield* serveSandbox({ catalogue: sampleFolder, faults })
  const home = yield* newFolder
  const asked: Array<string> = []
  const proxy = yield* proxyFor(sandbox.url, async (exchange) => {
    asked.push(`${exchange.path} ${exchange.asked}`)
    if (isHeld(exchange)) await setTimeout(60_000, undefined, { ref: false })
    return exchange.answer
  })
  const night = Effect.fnUntraced(function* (atMost: string) {
    const start = performance.now()
    const bounded = yield* homeOf(
      { key: sandbox.key, url: proxy.url },
      { CARDLAKE_HOME: home, CARDLAKE_AT_MOST: atMost }
    )
    const result = yield* Effect.result(bounded.night(...games))
    return { result, seconds: (performance.now() - start) / 1000 }
  }, Effect.scoped)
  return { asked, night }
})
/** The report of a night that made one. */
export const reportOf = <A>(result: { readonly _tag: string; readonly success?: A }) => {
  assert.isDefined(result.success)
  return result.success
}
