import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runDiff } from "../../src/night/run/runDiff.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRelease } from "../../src/night/run/publishAs.ts"
import { runRepair } from "../../src/night/run/repair/runRepair.ts"
import { runReplay } from "../../src/night/run/runReread.ts"
import { answersOf, frozenAnswers, frozenHome, frozenReleases, onDay } from "./frozenHome.ts"
import { fedSince, feedSince, frozenDeployments, frozenQuestions } from "./frozenMarketplace.ts"
import { cardlake } from "../pipelines/cli.ts"
import { live } from "../support/suite.ts"

type Record = { readonly id: number; readonly name: unknown }
const productsOf = (gameId: string, day: number) =>
  ((frozenDeployments[gameId]?.[day]?.products ?? []) as ReadonlyArray<Record>).filter(
    ({ name }) => typeof name === "string"
  )

describe.each(frozenReleases)("a home of release %s", (release) => {
  live("answers as it did", function* () {
    const { home } = yield* frozenHome(release)
    const repaired = yield* runRepair(false).pipe(onDay("06-11"), Effect.provideContext(home.services))
    assert.deepStrictEqual(repaired.left, [])
    for (const [name, sql] of frozenQuestions) {
      assert.deepStrictEqual(yield* answersOf(home, sql), frozenAnswers(release)[name], name)
    }
  })

  live.full(
    "is continued: the next night compares with what is there, and the night after it finds nothing new",
    function* () {
      const { deploy, home } = yield* frozenHome(release)
      yield* deploy
      const { games } = yield* home.night.pipe(onDay("06-12"))
      const [hollowmere] = games
      assert.strictEqual(hollowmere?.verdict, "published", hollowmere?.reason ?? "")
      const before = new Set(productsOf("hollowmere", 4).map(({ id }) => id))
      const after = new Set(productsOf("hollowmere", 6).map(({ id }) => id))
      assert.deepStrictEqual(
        [hollowmere?.changes?.products.added, hollowmere?.changes?.products.removed],
        [[...after].filter((id) => !before.has(id)).length, [...before].filter((id) => !after.has(id)).length]
      )
      assert.strictEqual(hollowmere?.reconciliation?.unexplained, 0)
      const again = yield* home.night.pipe(onDay("06-13"))
      assert.strictEqual(again.games[0]?.verdict, "unchanged")
      // The history is as it was.
      const [name, sql] = frozenQuestions.find(([name]) => name === "prices in May") ?? ["", ""]
      assert.deepStrictEqual(yield* answersOf(home, sql), frozenAnswers(release)[name])
    }
  )

  live("says how things stand and what changed since a number, without a repair", function* () {
    const { home } = yield* frozenHome(release)
    const feed = yield* feedSince(fedSince).pipe(Effect.provideContext(home.services))
    assert.deepStrictEqual<unknown>(feed, frozenAnswers(release)["feed"])
    const run = (...args: ReadonlyArray<string>) => Effect.promise(() => cardlake(args, { env: home.settings }))
    for (const said of [yield* run("status", "--json"), yield* run("query", "--json", "from publications")])
      for (const gameId of ["hollowmere", "saltfen"]) assert.include(said.stdout, gameId, said.stderr)
  })

  live.full("can be replayed, released, compared, compacted and pruned", function* () {
    const { home } = yield* frozenHome(release)
    const { services } = home
    for (const gameId of ["hollowmere", "saltfen"]) {
      const replayed = yield* runReplay(gameId, null).pipe(onDay("06-14"), Effect.provideContext(services))
      assert.deepStrictEqual(
        replayed.tables.filter(({ equal }) => !equal).map(({ table }) => table),
        []
      )
    }
    yield* runRelease({ gameId: "saltfen", wanted: null, why: "looked at it" }).pipe(
      onDay("06-15"),
      Effect.provideContext(services)
    )
    const { changes } = yield* runDiff({ gameId: "saltfen", from: null, to: null }).pipe(
      onDay("06-15"),
      Effect.provideContext(services)
    )
    assert.deepStrictEqual([changes.products.added, changes.products.removed], [1, 1])
    yield* runCompact([]).pipe(onDay("07-02"), Effect.provideContext(services))
    yield* runPrune({ days: null, last: 2, monthly: false }, false).pipe(
      onDay("07-03"),
      Effect.provideContext(services)
    )
    for (const name of ["prices in May", "every price"]) {
      const sql = frozenQuestions.find(([question]) => question === name)?.[1] ?? ""
      const rows = yield* answersOf(home, `from (${sql}) where game_id = 'hollowmere'`)
      assert.deepStrictEqual(
        rows,
        frozenAnswers(release)[name]?.filter((row) => row["game_id"] === "hollowmere"),
        name
      )
    }
  })
})
