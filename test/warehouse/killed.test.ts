import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FourNights } from "./FourNights.ts"
import { filesFound, killExports } from "./killedExports.ts"

layer(FourNights.layer, { excludeTestServices: true })("an export that is killed", (it) => {
  it.effect("leaves the earlier or the new partitions, and the next one goes on from there", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* killExports(filesFound, ["rename _manifest.json"]), 1)
    })
  )
})
