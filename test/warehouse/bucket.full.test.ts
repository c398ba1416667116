import { assert } from "@effect/vitest"
import { fourNights } from "./FourNights.ts"
import { asDelta, asFiles, asIceberg, killRequests } from "./killedRequests.ts"

fourNights("an export into a bucket", (it) => {
  it("that dies at any request leaves the earlier or the new partitions", function* () {
    assert.isAbove(yield* killRequests(asFiles, 1), 20)
  })

  it("as Iceberg tables leaves the earlier or the new snapshot, wherever it dies", function* () {
    assert.isAbove(yield* killRequests(asIceberg, 1), 40)
  })

  it("as Delta tables leaves the earlier or the new version, wherever it dies", function* () {
    assert.isAbove(yield* killRequests(asDelta, 1), 20)
  })
})
