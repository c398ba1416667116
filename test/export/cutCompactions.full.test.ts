import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cutCompactions } from "./cutCompactions.ts"
import { MonthsOfNights } from "./MonthsOfNights.ts"
import { deltaInStore, icebergInStore } from "./tablesInStore.ts"

layer(MonthsOfNights.layer, { excludeTestServices: true })("compacting in a bucket", (it) => {
  for (const reader of [icebergInStore, deltaInStore]) {
    it.effect(`as ${reader.format} leaves each table as it was or compacted, at whatever request it is cut off`, () =>
      Effect.gen(function* () {
        const { cuts, requests, strays, tried } = yield* cutCompactions(reader, ["products", "nights"], () => true)
        assert.isAbove(requests, 90)
        assert.strictEqual(tried, cuts)
        assert.isAbove(strays, 0)
      })
    )
  }
})
