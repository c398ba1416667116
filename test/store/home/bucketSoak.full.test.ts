import { afterAll, assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { soakBucket } from "./bucketSoak.ts"

describe("many nights of a home in a bucket", () => {
  const work = mkdtempSync(join(tmpdir(), "cardlake-soak-bucket-"))
  afterAll(() => rmSync(work, { recursive: true, force: true }))

  it("are those of a folder, whoever reads them and whatever the store does", { timeout: 3_600_000 }, async () => {
    const faults = await soakBucket(work, { nights: 200, products: 200, seed: 20_261_123 })
    assert.isAbove(Math.min(faults.lost, faults.refused, faults.late, faults.cut, faults.pruned), 0)
  })
})
