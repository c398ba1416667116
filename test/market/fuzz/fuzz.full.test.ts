import { assert } from "@effect/vitest"
import { Served, makeTrader } from "../Served.ts"
import { eventFaults } from "./eventFaults.ts"
import { fuzz } from "./fuzz.ts"
import { suite } from "../../support/sandbox.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

suite(Served.layer({ catalogue: { games: syntheticCatalogue(300, 3) }, live: "last" }))(
  "the sandbox under 5,000 random requests",
  (it) => {
    for (const seed of [2, 3]) {
      it(`keeps its schema in every answer and never fails: seed ${seed}`, function* () {
        const { key } = yield* makeTrader(`fuzzed-${seed}`)
        const { faults } = yield* fuzz({ key, requests: 5000, seed })
        assert.deepEqual(faults, [])
      })
    }

    it("keeps those of its control routes, too", function* () {
      const { key } = yield* makeTrader("controlled")
      const { faults } = yield* fuzz({ key, requests: 2000, seed: 4, description: "/sandbox/openapi.json" })
      assert.deepEqual(faults, [])
    })
  }
)

const filling = { accounts: 20, orders: 300, seed: 7 }

suite(Served.layer({ filling, live: "last" }))("the events of a filled market", (it) => {
  it("are as the description's webhooks say, under random requests of a seller, too", function* () {
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
