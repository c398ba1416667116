import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gameId } from "../lake/invented.ts"
import { assertFault, json, main, node, start } from "../pipelines/cli.ts"
import { tinyMarketplace, type TinyHome } from "./tinyNights.ts"

const cardlake = (home: TinyHome, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => start(node, [main, ...args], { env: home.settings }).ended)

describe("in processes of their own", () => {
  it.live("two nights on one home: one runs, the other says who does and fails; on two homes both run", () =>
    Effect.gen(function* () {
      const { newHome } = yield* tinyMarketplace()
      const [home, other] = [yield* newHome, yield* newHome]
      const ended = yield* Effect.all(
        [cardlake(home, "nightly"), cardlake(home, "nightly"), cardlake(other, "nightly")],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(ended[2].code, 0, ended[2].stderr)
      const both = ended.slice(0, 2)
      const refused = both.filter(({ code }) => code === 1)
      // Both succeed where one had ended before the other began.
      for (const night of refused)
        assert.match(night.stderr, /is locked by another nightly, process \d+ on .+, since 20/)
      assert.deepStrictEqual(both.map(({ code }) => code).sort(), refused.length === 0 ? [0, 0] : [0, 1])
    }).pipe(Effect.scoped)
  )

  it.live(
    "release, rollback, replay and prune print what they did, as text or one JSON object, with their exit codes",
    () =>
      Effect.gen(function* () {
        const { deploy, newHome } = yield* tinyMarketplace()
        const home = yield* newHome
        yield* home.night
        yield* deploy
        yield* home.night
        const published = (yield* home.current).games[gameId]?.published ?? []

        assertFault(yield* cardlake(home, "release", gameId), 1, /no held snapshot.*cardlake snapshots$/)
        assertFault(
          yield* cardlake(home, "rollback", "nothing"),
          1,
          /nothing does not have a snapshot.*cardlake snapshots$/
        )
        assertFault(yield* cardlake(home, "prune"), 2, /Say what to keep: --keep-days N/)
        assert.match((yield* cardlake(home, "prune", "--keep-last", "1")).stdout, /^Everything in this home is kept/)
        const replayed = yield* cardlake(home, "replay", gameId)
        assert.match(replayed.stdout, new RegExp(`snapshot ${published[1]} made again.*equal bit for bit`))
        const done = json(yield* cardlake(home, "rollback", gameId, "--why", "a test", "--json"))
        assert.deepInclude(done, { kind: "rollback", snapshot: published[0], before: published[1], why: "a test" })
      }).pipe(Effect.scoped)
  )
})
