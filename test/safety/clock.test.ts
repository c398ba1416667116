import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Clock, Effect } from "effect"
import { gameId } from "../lake/invented.ts"
import { tinyMarketplace } from "./tinyNights.ts"

// Real nights, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** The clock of this machine, `days` behind. */
const behind = (clock: Clock.Clock, days: number): Clock.Clock => {
  const millis = days * 24 * 3600 * 1000
  return Object.assign(Object.create(clock) as Clock.Clock, {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() - millis,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now - millis)
  })
}

it.live("a clock that jumps back a year gives ids that sort after what is there, and nights as ever", () =>
  Effect.gen(function* () {
    const { deploy, newHome } = yield* tinyMarketplace()
    const home = yield* newHome
    const clock = yield* Clock.Clock
    const runs: Array<string> = []
    for (const days of [0, 365, 364, 0]) {
      if (runs.length > 0) yield* deploy
      const { games, run } = yield* Effect.provideService(home.night, Clock.Clock, behind(clock, days))
      assert.strictEqual(games[0]?.verdict, "published")
      runs.push(run)
    }
    assert.deepStrictEqual(runs.toSorted(), runs)
    assert.deepStrictEqual((yield* home.current).games[gameId]?.published, runs)
    assert.strictEqual((yield* home.query("select count(*)::int as n from snapshots where is_current"))[0]?.["n"], 1)
  }).pipe(Effect.scoped)
)
