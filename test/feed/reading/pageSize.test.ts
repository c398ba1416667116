import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { against } from "../client/StrangeServer.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { serve } from "./feed.ts"
import { idOf } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

/** Reads 450 cards; the page at an offset has `pageSize` records, though the client asks for 200. */
const reading = (pageSize: (offset: number) => number) =>
  Effect.gen(function* () {
    const folder = (yield* Home).raw("fable", idOf("r1"))
    return yield* extractGame({ gameId: "fable", runId: idOf("r1"), folder, previousDeploymentId: null })
  }).pipe(against(serve({ pageSize })), Effect.provide(emptyHome), Effect.scoped)

describe("a marketplace whose pages", () => {
  live("are smaller than was asked for is read with that size", function* () {
    const { pages, products, refused, rounds } = yield* reading(() => 120)
    assert.deepStrictEqual([rounds, products, refused], [1, 450, 0])
    assert.deepStrictEqual(
      pages.filter(({ kind }) => kind === "products").map(({ file, records }) => `${file} ${records}`),
      [
        "pages/products-000000.json.gz 120",
        "pages/products-000001.json.gz 120",
        "pages/products-000002.json.gz 120",
        "pages/products-000003.json.gz 90"
      ]
    )
  })

  for (const [how, pageSize, fault] of [
    ["become smaller", (offset: number) => (offset === 0 ? 200 : 120), "limit 120 instead of 200"],
    ["have no records", () => 0, "limit 0 instead of 200"]
  ] as const) {
    live(`${how} is not read`, function* () {
      assert.include((yield* Effect.flip(reading(pageSize))).message, fault)
    })
  }
})
