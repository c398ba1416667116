import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cutCompactions, everyCut } from "./cutCompactions.ts"
import { MonthsOfNights } from "./MonthsOfNights.ts"
import { deltaInStore, icebergInStore } from "./tablesInStore.ts"

layer(MonthsOfNights.layer, { excludeTestServices: true })("compacting in a bucket", (it) => {
  for (const reader of [icebergInStore, deltaInStore]) {
    it.effect(`as ${reader.format} leaves each table as it was or compacted, at whatever request it is cut off`, () =>
      Effect.gen(function* () {
        const tried = yield* cutCompactions(reader, ["products", "nights"], everyCut, 1)
        for (const requests of tried) assert.isAbove(requests, 5)
      })
    )
  }
})
