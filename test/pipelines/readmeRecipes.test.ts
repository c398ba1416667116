import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { runFx } from "../../pipelines/runFx.ts"
import { queryTable } from "../../pipelines/runQuery.ts"
import { marketplaceAndHome } from "./nights.ts"

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const readme = readFileSync(place("README.md"), "utf8")
const days = ["2026-08-14", "2026-08-20", "2026-08-21", "2026-08-24"]

/** The machine's clock, moved so that it says `millis` now. */
const clockFrom = (clock: Clock.Clock, millis: number): Clock.Clock => {
  const moved = millis - clock.currentTimeMillisUnsafe()
  return {
    ...clock,
    sleep: (duration) => clock.sleep(duration),
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + moved,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + moved),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos
  }
}

const recipes = [...readme.matchAll(/^\*\*(.+)\*\*\n\n```sql\n([\s\S]*?)\n```\n\n```txt\n([\s\S]*?)\n```$/gm)]

it.live(
  "the README's ten questions have the answers it shows",
  () =>
    Effect.gen(function* () {
      const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue: place("data/sample") })
      yield* Effect.provideContext(runFx(place("data/sample/eurofxref.csv")), services)
      const clock = yield* Clock.Clock
      for (const day of days) {
        if (day !== days[0]) for (const game of yield* sandbox.games) yield* sandbox.deploy(game.gameId)
        yield* Effect.provideService(night(), Clock.Clock, clockFrom(clock, Date.parse(`${day}T05:30:00Z`)))
      }
      assert.strictEqual(recipes.length, 10)
      for (const [, question = "", sql = "", answer = ""] of recipes) {
        const printed = yield* Effect.provideContext(queryTable(sql), services)
        assert.strictEqual(printed.replaceAll(/ +$/gm, ""), answer, question)
      }
    }),
  60_000
)
