import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import type { SnapshotId } from "../../src/feed/contract/Ids.ts"
import { lakeAge } from "../../src/night/observe/examineAge.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { checkHealth, readAgain, readScheduleState } from "../../src/night/observe/ScheduleState.ts"
import { gameId, idOf } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { tinyMarketplace } from "./tinyNights.ts"
import { live } from "../support/suite.ts"

/** Runs the effect as if it were so many days ago. */
const at = <A, E, R>(days: number, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => effect.pipe(showing(Date.now() - days * 24 * 3600 * 1000)))

live("when the clock jumps back or ahead, the game is held until a person has decided", function* () {
  const { deploy, newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const runs: Array<SnapshotId> = []
  const night = Effect.fnUntraced(function* (days: number) {
    if (runs.length > 0) yield* deploy
    const { games, run } = yield* at(days, home.night)
    runs.push(idOf(run))
    return games[0]
  })

  assert.strictEqual((yield* night(0))?.verdict, "published")
  const back = yield* night(365)
  assert.strictEqual(back?.verdict, "held")
  assert.match(back?.reason ?? "", /in the future: the clock now says .*\nLook at the clock of this machine/)
  assert.strictEqual((yield* night(-400))?.verdict, "published")
  const held = yield* night(0)
  assert.strictEqual(held?.verdict, "held")
  assert.match(
    held?.reason ?? "",
    /in the future: the clock now says [^]*take that one back: cardlake rollback hollowmere/
  )

  // The checks of the lake's age say so, too.
  const old = yield* Effect.provideContext(Effect.flip(lakeAge(Duration.hours(36))), home.services)
  assert.match(old.message, /hollowmere are in the future.* cardlake rollback hollowmere$/)
  const health = Effect.flatMap(readScheduleState, (state) => checkHealth(state, Duration.hours(36), readAgain(state)))
  assert.isFalse((yield* Effect.provideContext(health, home.services)).ok)

  // The way out that the reason names.
  yield* Effect.provideContext(runRollback({ gameId, wanted: null, why: null }), home.services)
  assert.strictEqual((yield* night(0))?.verdict, "published")
  assert.isTrue((yield* Effect.provideContext(health, home.services)).ok)
  assert.deepStrictEqual(runs.toSorted(), runs)
  assert.deepStrictEqual(
    (yield* home.current).games[gameId]?.published,
    runs.filter((_, index) => index % 2 === 0)
  )
  const seen = "select count(*)::int as n from snapshots where is_current"
  assert.strictEqual((yield* home.query(seen))[0]?.["n"], 1)
  // The lake has the forty cards of the fifth day alone.
  const cards = "select min(product_id)::int as first, count(*)::int as n from products_at(now()::timestamptz)"
  assert.deepStrictEqual(yield* home.query(cards), [{ first: 5, n: 40 }])
})
