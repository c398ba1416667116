import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"
import { eventFaults } from "./eventFaults.ts"
import { fuzz } from "./fuzz.ts"

layer(Served.layer({ catalogue: { synthetic: 300 }, live: "last" }))("the sandbox", (it) => {
  it.effect("keeps its schema in every answer and never fails, whatever is asked", () =>
    Effect.gen(function* () {
      const { key } = yield* makeTrader("fuzzed")
      const { faults, statuses } = yield* fuzz({ key, requests: 300, seed: 1 })
      assert.deepStrictEqual(faults, [])
      assert.isAbove(statuses[200] ?? 0, 100)
      assert.deepStrictEqual((yield* eventFaults).faults, [])
    })
  )

  it.effect("keeps the schemas of its control routes, too", () =>
    Effect.gen(function* () {
      const { key } = yield* makeTrader("controlled")
      const { faults } = yield* fuzz({ key, requests: 100, seed: 1, description: "/sandbox/openapi.json" })
      assert.deepStrictEqual(faults, [])
    })
  )
})
