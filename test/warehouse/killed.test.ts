import { assert } from "@effect/vitest"
import { fourNights } from "./FourNights.ts"
import { filesFound, killExports } from "./killedExports.ts"

fourNights("an export that is killed", (it) => {
  it.full("leaves the earlier or the new partitions, and the next one goes on from there", function* () {
    assert.strictEqual(yield* killExports(filesFound, ["rename _manifest.json"]), 1)
  })
})
