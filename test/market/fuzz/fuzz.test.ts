import { assert } from "@effect/vitest"
import { Served, makeTrader } from "../Served.ts"
import { eventFaults } from "./eventFaults.ts"
import { fuzz } from "./fuzz.ts"
import { suite } from "../../support/sandbox.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

suite(Served.layer({ catalogue: { games: syntheticCatalogue(300, 3) }, live: "last" }))("the sandbox", (it) => {
  it("keeps its schema in every answer and never fails, whatever is asked", function* () {
    const { key } = yield* makeTrader("fuzzed")
    const { faults, statuses } = yield* fuzz({ key, requests: 300, seed: 1 })
    assert.deepEqual(faults, [])
    assert.isAbove(statuses[200] ?? 0, 100)
    assert.deepEqual((yield* eventFaults).faults, [])
  })

  it("keeps the schemas of its control routes, too", function* () {
    const { key } = yield* makeTrader("controlled")
    const { faults } = yield* fuzz({ key, requests: 100, seed: 1, description: "/sandbox/openapi.json" })
    assert.deepEqual(faults, [])
  })
})
