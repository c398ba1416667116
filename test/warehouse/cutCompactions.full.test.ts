import { assert } from "@effect/vitest"
import { cutCompactions, everyCut } from "./cutCompactions.ts"
import { months } from "./MonthsOfNights.ts"
import { deltaInStore, icebergInStore } from "./tablesInStore.ts"

months("compacting in a bucket", (it) => {
  for (const reader of [icebergInStore, deltaInStore]) {
    it(`as ${reader.format} leaves each table as it was or compacted, at whatever request it is cut off`, function* () {
      const tried = yield* cutCompactions(reader, ["products", "nights"], everyCut, 1)
      for (const requests of tried) assert.isAbove(requests, 5)
    })
  }
})
