import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { checkHome } from "../../src/night/run/repair/runRepair.ts"
import { eachKill, killedAt, type Kills } from "../eachKill.ts"
import { onDay } from "../homes/frozenHome.ts"
import { gameId } from "../store/lake/invented.ts"
import { tinyMarketplace, type TinyHome } from "../safety/tinyNights.ts"
import { backfill, days, valuesOf } from "./Backfilled.ts"

const counts = (home: TinyHome) =>
  valuesOf(home, "select (select count(*) from backfilled_prices), (select count(*) from backfills)")

/**
 * A night that takes ten prices of two products in, killed before each of these steps. The lake then has none or all of
 * them, and after the next night all of them once, in one part.
 */
const killTakeIn = Effect.fnUntraced(function* (kills: Kills) {
  const marketplace = yield* tinyMarketplace({ days })
  for (let day = 1; day <= 4; day++) yield* marketplace.deploy
  const before = yield* marketplace.newHome
  yield* before.night.pipe(onDay("05-05"))
  yield* backfill(before).pipe(onDay("05-06"))
  const kill = Effect.fnUntraced(function* (at: string) {
    const home = yield* marketplace.copyOf(before)
    const killed = yield* killedAt(at, ["nightly"], home.settings)
    const where = killed ?? "not killed"
    const [found = []] = yield* counts(home)
    assert.include(killed === null ? ["10 2"] : ["0 0", "10 2"], found.join(" "), where)
    assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged", where)
    assert.deepStrictEqual(yield* counts(home), [[10, 2]], where)
    assert.lengthOf(readdirSync(join(home.root, "history", `game=${gameId}`, "backfill")), 1, where)
    assert.match(yield* Effect.provideContext(checkHome, home.services), /^Every file is intact/, where)
    assert.strictEqual((yield* backfill(home)).requests, 0, where)
    return killed !== null
  }, Effect.scoped)
  return yield* eachKill(kills, kill, 2)
})

it.live("a night that is killed at any step of taking a backfill in loses nothing and brings nothing twice", () =>
  Effect.gen(function* () {
    assert.isAtLeast(yield* killTakeIn(1), 20)
  }).pipe(Effect.scoped)
)
