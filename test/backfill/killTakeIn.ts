import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { homeWhole } from "../../src/run/examine/homeWhole.ts"
import { onDay } from "../homes/frozenHome.ts"
import { gameId } from "../lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { tinyMarketplace, type TinyHome } from "../safety/tinyNights.ts"
import { backfill, days, valuesOf } from "./Backfilled.ts"

const preload = join(import.meta.dirname, "../safety/killAt.ts")
const nightly = (home: TinyHome, env: Record<string, string>) =>
  Effect.promise(() => start(node, ["--import", preload, main, "nightly"], { env: { ...home.settings, ...env } }).ended)

const counts = (home: TinyHome) =>
  valuesOf(home, "select (select count(*) from backfilled_prices), (select count(*) from backfills)")

/**
 * A night that takes ten prices of two products in, killed before each step that `isTried`. The lake then has none or
 * all of them, and after the next night all of them once, in one part.
 */
export const killTakeIn = Effect.fnUntraced(function* (isTried: (step: number, steps: number) => boolean) {
  const marketplace = yield* tinyMarketplace({ days })
  for (let day = 1; day <= 4; day++) yield* marketplace.deploy
  const before = yield* marketplace.newHome
  yield* before.night.pipe(onDay("05-05"))
  yield* backfill(before).pipe(onDay("05-06"))
  const folder = mkdtempSync(join(tmpdir(), "cardlake-steps-"))
  const undisturbed = yield* marketplace.copyOf(before)
  assert.strictEqual((yield* nightly(undisturbed, { KILL_STEPS: join(folder, "steps") })).code, 0)
  const steps = JSON.parse(readFileSync(join(folder, "steps"), "utf8")) as ReadonlyArray<string>
  rmSync(folder, { recursive: true })
  assert.deepStrictEqual(yield* counts(undisturbed), [[10, 2]])
  const tried = steps.map((name, index) => ({ at: index + 1, name })).filter(({ at }) => isTried(at, steps.length))
  yield* Effect.forEach(
    tried,
    Effect.fnUntraced(function* ({ at, name }) {
      const where = `killed before step ${at} of ${steps.length} (${name})`
      const home = yield* marketplace.copyOf(before)
      const { code, stderr } = yield* nightly(home, { KILL_AT: String(at) })
      assert.strictEqual(code, null, `${where}: ${stderr}`)
      const [found = []] = yield* counts(home)
      assert.include(["0 0", "10 2"], found.join(" "), where)
      assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged", where)
      assert.deepStrictEqual(yield* counts(home), [[10, 2]], where)
      assert.lengthOf(readdirSync(join(home.root, "history", `game=${gameId}`, "backfill")), 1, where)
      assert.match(yield* Effect.provideContext(homeWhole, home.services), /^Every file is as it was written/, where)
      assert.strictEqual((yield* backfill(home)).requests, 0, where)
    }, Effect.scoped),
    { concurrency: 2 }
  )
  return tried.length
})
