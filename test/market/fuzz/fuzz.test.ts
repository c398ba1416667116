import { assert } from "@effect/vitest"
import { Served, makeTrader } from "../Served.ts"
import { eventFaults } from "./eventFaults.ts"
import { fuzz } from "./fuzz.ts"
import { suite } from "../../support/sandbox.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"
import { rounds, tried } from "../../tried.ts"

suite(Served.layer({ catalogue: { games: syntheticCatalogue(300) }, live: "last" }))("the sandbox", (it) => {
  for (const seed of tried([1, 2, 3], (one) => one === 1))
    it(`keeps its schema in every answer and never fails, whatever is asked: seed ${seed}`, function* () {
      const { key } = yield* makeTrader(`fuzzed-${seed}`)
      const { faults, statuses } = yield* fuzz({ key, requests: rounds(5000, 300), seed })
      assert.deepEqual(faults, [])
      assert.isAbove(statuses[200] ?? 0, 100)
      assert.deepEqual((yield* eventFaults).faults, [])
    })

  it("keeps the schemas of its control routes, too", function* () {
    const { key } = yield* makeTrader("controlled")
    const { faults } = yield* fuzz({ key, requests: rounds(2000, 100), seed: 1, description: "/sandbox/openapi.json" })
    assert.deepEqual(faults, [])
  })
})

const filling = { accounts: 20, orders: 300, seed: 7 }

suite(Served.layer({ filling, live: "last" }))("the events of a filled market", (it) => {
  it.full("are as the description's webhooks say, under random requests of a seller, too", function* () {
    yield* fuzz({ key: "cl_sandbox_7_seller-1", requests: 2000, seed: 5 })
    const { faults, types } = yield* eventFaults
    assert.deepEqual(faults, [])
    assert.includeMembers(types, [
      "balance.updated",
      "inventory.quantity.changed",
      "order.created",
      "order.status.changed"
    ])
  })
})
