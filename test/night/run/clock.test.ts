import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { gameId } from "../../store/lake/invented.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { tinyMarketplace } from "../../safety/tinyNights.ts"
import { live } from "../../support/suite.ts"

live("after a first night whose clock was ahead, nights are held until a person releases one", function* () {
  const { deploy, newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const ahead = Date.now() + 400 * 24 * 3600 * 1000
  assert.strictEqual((yield* home.night.pipe(showing(ahead))).games[0]?.verdict, "published")
  for (const _ of ["the same", "again"]) {
    const { games } = yield* home.night
    assert.strictEqual(games[0]?.verdict, "held")
    assert.match(games[0]?.reason ?? "", /publish this one: cardlake release hollowmere /)
  }
  yield* Effect.provideContext(runRelease({ gameId, wanted: null, why: null }), home.services)
  yield* deploy
  assert.strictEqual((yield* home.night).games[0]?.verdict, "published")
  const cards = "select min(product_id)::int as first, count(*)::int as n from products_at(now()::timestamptz)"
  assert.deepStrictEqual(yield* home.query(cards), [{ first: 2, n: 41 }])
})
