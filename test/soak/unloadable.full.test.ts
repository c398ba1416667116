import { assert } from "@effect/vitest"
import { catalogueFolder } from "../store/lake/invented.ts"
import { placeOfSnapshot, readReferences } from "./references.ts"
import { soakDeployments } from "./soakGames.ts"
import { publishedState, soakNight } from "./soakHome.ts"
import { pageFault } from "../support/pageFaults.ts"
import { newFolder, live } from "../support/suite.ts"

live(
  "a record with a duplicate key costs that record at most, and the next night has it again",
  function* () {
    const catalogue = yield* catalogueFolder({ alder: soakDeployments("alder", 500, 210).slice(0, 1) })
    const references = yield* readReferences(catalogue, ["alder"], 1)
    const root = yield* newFolder
    const where = { endpoint: "products", offset: 200, record: 3, field: "rarity" } as const
    const struck = yield* soakNight(
      root,
      catalogue,
      {},
      { rules: [pageFault({ kind: "broken-record", way: "duplicate-key", ...where })] }
    )
    // It may be more than once: a page can be requested again at the end of the reading.
    assert.isAtLeast(struck.injected.counts["broken-record"] ?? 0, 1)
    assert.strictEqual(struck.report?.games[0]?.verdict, "published", struck.report?.games[0]?.reason ?? "")
    yield* soakNight(root, catalogue, {})
    const { snapshots } = yield* publishedState(root)
    assert.isDefined(snapshots["alder"])
    if (snapshots["alder"] !== undefined) {
      assert.strictEqual(placeOfSnapshot(references["alder"] ?? [], snapshots["alder"]), 0)
    }
  },
  60_000
)
