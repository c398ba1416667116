import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { deltaFound, duckLakeFound, filesFound, icebergFound, killExports } from "./killedExports.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export that is killed", (it) => {
  for (const reader of [filesFound, icebergFound, deltaFound, duckLakeFound]) {
    it.effect(`at any rename, as ${reader.format}, leaves the old or the new partitions, and the next goes on`, () =>
      Effect.gen(function* () {
        assert.isAbove(yield* killExports(reader, 1), 3)
      })
    )
  }
})
