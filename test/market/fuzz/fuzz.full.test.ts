import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"
import { fuzz } from "./fuzz.ts"

layer(Served.layer({ catalogue: { synthetic: 300 }, live: "last" }))(
  "the sandbox under 5,000 random requests",
  (it) => {
    for (const seed of [2, 3]) {
      it.effect(`keeps its schema in every answer and never fails: seed ${seed}`, () =>
        Effect.gen(function* () {
          const { key } = yield* makeTrader(`fuzzed-${seed}`)
          const { faults } = yield* fuzz({ key, requests: 5000, seed })
          assert.deepStrictEqual(faults, [])
        })
      )
    }
  }
)
