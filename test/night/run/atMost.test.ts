import { NodeServices } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { computeExitCode } from "../../../src/night/observe/RunReport.ts"
import { allServices } from "../../../pipelines/settings/marketServices.ts"
import { reportOf, slowMarketplace } from "./slowMarketplace.ts"
import { live } from "../../support/suite.ts"

describe.concurrent("the bound of a night", () => {
  live("also ends the reading of the list of games and of a changelog", function* () {
    const list = yield* slowMarketplace(({ path }) => path.endsWith("/games"))
    const { result } = yield* list.night("400 millis")
    assert.match(
      result._tag === "Failure" ? result.failure.message : "",
      /^The night reached its time limit of 400ms while reading the list of games\./
    )
    const changelog = yield* slowMarketplace(({ path }) => path.includes("/changelog"))
    const report = reportOf((yield* changelog.night("400 millis")).result)
    for (const { reason, verdict } of report.games) {
      assert.strictEqual(verdict, "failed")
      assert.match(reason ?? "", /reached its time limit of \S+ while reading its changelog\./)
    }
  })

  live("ends a wait that the marketplace asks for", () =>
    Effect.gen(function* () {
      const rules = [{ kind: "rate-limited", endpoint: "products", retryAfter: 3500 }] as const
      const { night } = yield* slowMarketplace(() => false, { rules })
      const { result, seconds } = yield* night("500 millis")
      assert.isBelow(seconds, 60)
      const report = reportOf(result)
      for (const { reason } of report.games) assert.match(reason ?? "", /^The night reached its time limit of 500ms /)
      assert.strictEqual(computeExitCode(report.games), 1)
    }).pipe(Effect.provide(nightLog("text", () => {})))
  )

  live("is refused with the name of its setting when it is not a duration", function* () {
    const settings = { CARDLAKE_URL: "http://127.0.0.1:1", CARDLAKE_API_KEY: "k", CARDLAKE_AT_MOST: "6" }
    const error = yield* Effect.flip(Layer.build(Layer.provideMerge(allServices(settings), NodeServices.layer)))
    assert.match(error.message, /^CARDLAKE_AT_MOST is "6", not a duration such as 6h or "90 minutes"\. Set it/)
  })
})
