import { assert } from "@effect/vitest"
import { emptyHome, snapshotOf } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { testIn } from "../../../support/suite.ts"

testIn(emptyHome)("a page larger than the 16 MiB that DuckDB reads as one object by default is loaded", function* () {
  const text = "x".repeat(200_000)
  const products = Array.from({ length: 100 }, (_, id) => card(id + 1, { variant: text }))
  const { manifest } = yield* snapshotOf("large", { products })
  assert.strictEqual(manifest.tables["products"]?.rows, 100)
})
