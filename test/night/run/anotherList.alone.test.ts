import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { refused } from "../../../src/store/diff/rules/refused.ts"
import type { Extraction } from "../../../src/feed/reading/Extraction.ts"
import { Home, homeIn } from "../../../src/store/home/Home.ts"
import type { Manifest } from "../../../src/store/home/Manifest.ts"
import { isSameReading } from "../../../src/night/run/isSameReading.ts"
import { idOf } from "../../store/lake/invented.ts"
import { effect } from "../../support/suite.ts"

// A marketplace with a third list that every night reads.
vi.mock(import("../../../src/feed/client/offsetLists.ts"), async (original) => {
  const contract = await original()
  const offsetLists = { ...contract.offsetLists, bundles: contract.offsetLists.products }
  return { ...contract, offsetLists, offsetListNames: Object.keys(offsetLists) } as unknown as typeof contract
})

/** A reading of one page a list. The contract refused a record of the list of games, so its sum alone is compared. */
const reading = (bundles: string) => {
  const lists = [
    ["games", "a"],
    ["expansions", "b"],
    ["products", "c"],
    ["bundles", bundles]
  ]
  const pages = lists.map(([kind, sha256]) => ({ kind, request: kind, sha256, refused: kind === "games" ? 1 : 0 }))
  return {
    gameId: "hollowmere",
    runId: idOf("20260501T030000000Z-0001"),
    deploymentId: null,
    pages
  } as unknown as Extraction
}

effect("a night in which only a third list moved is another reading", () =>
  Effect.gen(function* () {
    assert.isTrue(yield* isSameReading(reading("d"), reading("d")))
    assert.isFalse(yield* isSameReading(reading("d"), reading("e")))
  }).pipe(Effect.provideService(Home, homeIn("/a home that nothing is read from")))
)

it("the records of a third list count among those that the refused ones are a share of", () => {
  const reasons = (bundles: number) => {
    const tables = { products: { rows: 90 }, expansions: { rows: 9 }, bundles: { rows: bundles } }
    const manifest = { refused: 2, tables } as unknown as Manifest
    return refused.sentences({ manifest, previous: null, diff: null, slips: 0.01 }, [], 0.01)
  }
  assert.deepStrictEqual(reasons(0), ["2 records were refused (2.0 %), more than 1.0 %"])
  assert.deepStrictEqual(reasons(900), [])
})
