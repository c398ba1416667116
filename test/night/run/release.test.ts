import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { SnapshotId } from "../../../src/feed/contract/Ids.ts"
import { listSnapshots } from "../../../src/night/run/listSnapshots.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { readCurrent, Home } from "../../../src/store/home/Home.ts"
import { writeHeldBack } from "../../../src/store/home/HeldBack.ts"
import { readSnapshot, type SnapshotFolder } from "../../../src/store/home/Manifest.ts"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { HoldBounds, judge, sayings } from "../../../src/store/diff/judge.ts"
import { emptyHome, snapshotOf } from "../../store/lake/handMadeNights.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { dayOf, nightId } from "../../warehouse/FourNights.ts"
import { publishNights } from "../../warehouse/publishNights.ts"
import { card, expansion, gameId } from "../../store/lake/invented.ts"
import { deployments, tinyHome, tinyMarketplace, type TinyHome } from "../../safety/tinyNights.ts"
import { failureOf, live, testIn } from "../../support/suite.ts"
import { tried } from "../../tried.ts"

const priced = (id: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } })
const cards = (count: number, make = priced) => Array.from({ length: count }, (_, index) => make(index + 1))

const day = (products: ReadonlyArray<object>) => ({ expansions: [expansion(1)], products })
const whole = day(cards(40))
/** A quarter of the cards have lost their price. */
const thinned = day([...cards(30), ...cards(40, card).slice(30)])
/** One of 41 records breaks the contract. */
const broken = day([...cards(40), { ...card(99), name: 7 }])

const release = (home: TinyHome, wanted: string | null = null, takesBack = false) =>
  runRelease({ gameId, wanted, why: "looked at it", takesBack }).pipe(Effect.provideContext(home.services))
const rollback = (home: TinyHome, wanted: string | null = null, of = gameId) =>
  runRollback({ gameId: of, wanted, why: "wrong prices" }).pipe(Effect.provideContext(home.services))

describe("a snapshot is held", () => {
  testIn(emptyHome)(
    "when more records are refused, or a price source covers fewer products, than the bound allows, the game's own first",
    function* () {
      const first = yield* snapshotOf("a", whole)
      const refused = yield* snapshotOf("b", broken)
      const fewer = yield* snapshotOf("c", thinned)
      const judged = (second: SnapshotFolder, env: Readonly<Record<string, string>>) => {
        const settings = ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
        return Effect.provide(judge(first, second, null), Layer.fresh(HoldBounds.layer).pipe(Layer.provide(settings)))
      }
      assert.include(sayings(yield* judged(refused, {})).join(), "1 record was refused (2.4 %), more than 1.0 %")
      assert.deepStrictEqual(yield* judged(refused, { CARDLAKE_HOLD_REFUSED: "0.03" }), [])
      const drop = "Source EUR prices 75.0 % of the products, down from 100.0 %: over 20.0 percentage points less"
      assert.deepStrictEqual(sayings(yield* judged(fewer, {})), [drop])
      const own = { CARDLAKE_HOLD_COVERAGE: "0.1", [`CARDLAKE_HOLD_COVERAGE__${gameId.toUpperCase()}`]: "0.3" }
      assert.deepStrictEqual(yield* judged(fewer, own), [])
    }
  )

  live(
    "once, until a release publishes it and records why, or the bound of a later night does not hold it any more",
    function* () {
      const { copyOf, deploy, newHome, sandbox } = yield* tinyMarketplace({ days: [whole, thinned] })
      const home = yield* newHome
      yield* home.night
      const before = yield* home.lake
      assert.include(yield* failureOf(release(home)), `no held snapshot newer than the published one`)
      yield* deploy
      const { games, run } = yield* home.night
      assert.deepStrictEqual([games[0]?.verdict, yield* home.lake], ["held", before])
      const held = SnapshotId.make(run)
      const raised = yield* copyOf(home)

      // The next night finds the same and does not store it again.
      const [again] = (yield* home.night).games
      assert.strictEqual(again?.verdict, "held")
      assert.include(again?.reason, "Source EUR prices 75.0 % of the products")
      assert.strictEqual(readdirSync(`${home.paths.snapshots}/game=${gameId}`).length, 2)
      assert.strictEqual(readdirSync(`${home.root}/raw/${gameId}`).length, 2)

      // A rollback neither returns to what was never published nor goes back before the first snapshot.
      assert.include(yield* failureOf(rollback(home, held)), `${held} as an earlier snapshot`)
      assert.include(yield* failureOf(rollback(home)), "does not have a snapshot before its current one")
      const mistyped = yield* failureOf(rollback(home, null, "tinny"))
      assert.include(mistyped, `The lake has no game tinny. It has: ${gameId}`)

      assert.include(yield* failureOf(release(home, "x")), "no held snapshot x")
      const done = yield* release(home)
      assert.deepStrictEqual([done.snapshot, done.reasons.length], [held, 1])
      assert.strictEqual((yield* home.current).games[gameId]?.snapshot, held)
      const [row] = yield* home.query(`select kind, why, verdict, snapshot from runs where run_id = '${done.run}'`)
      assert.deepEqual(row, { kind: "release", why: "looked at it", verdict: "published", snapshot: held })
      assert.deepInclude((yield* home.current).history.at(-1), { run: done.run, kind: "release", why: "looked at it" })
      const repriced = "select count(distinct id)::int as n from changes where class = 'price'"
      assert.deepStrictEqual(yield* home.query(repriced), [{ n: 10 }])
      assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged")
      const states = Effect.map(Effect.provideContext(listSnapshots, home.services), (all) =>
        all.map(({ state }) => state)
      )
      assert.deepStrictEqual(yield* states, ["earlier", "current"])
      yield* rollback(home)
      assert.deepStrictEqual(yield* states, ["current", "taken back"])

      const judgedBy = (bound: string) =>
        Effect.flatMap(
          tinyHome(raised.root, sandbox.url, sandbox.key, { CARDLAKE_HOLD_COVERAGE: bound }),
          ({ night }) => night
        )
      const [stricter] = (yield* judgedBy("0.22")).games
      assert.match(
        stricter?.reason ?? "",
        /^Source EUR prices .*: over 22\.0 percentage points less\nLook at the changes/
      )
      const published = yield* judgedBy("0.3")
      assert.deepInclude(published.games[0], { verdict: "published", reason: null, snapshot: held, products: 40 })
      assert.strictEqual(published.games[0]?.changes?.products.modifiedPrice, 10)
      const step = { run: published.run, kind: "nightly" as const, snapshot: held }
      assert.deepInclude((yield* raised.current).history.at(-1), step)
      assert.deepStrictEqual(yield* raised.query(repriced), [{ n: 10 }])
      const stored = readFileSync(join(raised.paths.snapshot(gameId, held), "held.json"), "utf8")
      assert.include(stored, "over 20.0 percentage points less")
    }
  )

  live("never by a setting that is not a share; such a setting ends the night at once", function* () {
    for (const value of tried(["lots", "-1", "1.5"], (_, index) => index === 0)) {
      const { newHome } = yield* tinyMarketplace({ settings: { CARDLAKE_HOLD_REMOVED: value } })
      const home = yield* newHome
      assert.include(
        yield* failureOf(home.night),
        `CARDLAKE_HOLD_REMOVED is "${value}", which is not a share. Set it to a number from 0 to 1, such as 0.05 for 5 %, then check with: cardlake doctor`
      )
      assert.isFalse(existsSync(`${home.root}/raw`))
    }
  })
})

describe("rollback", () => {
  live(
    "returns to the state before; the next night compares with it and continues the deployments' numbers",
    function* () {
      const { deploy, newHome } = yield* tinyMarketplace({ days: deployments })
      const home = yield* newHome
      const state = Effect.map(home.lake, (tables) => tables.filter((table) => !table.startsWith("deployment")))
      yield* home.night
      const first = yield* state
      yield* deploy
      yield* home.night
      const second = yield* state
      const published = (yield* home.current).games[gameId]?.published ?? []

      const done = yield* rollback(home)
      assert.deepStrictEqual([done.before, done.snapshot], [published[1], published[0]])
      assert.deepStrictEqual(yield* state, first)
      const [row] = yield* home.query(`select kind, why from runs where run_id = '${done.run}'`)
      assert.deepEqual(row, { kind: "rollback", why: "wrong prices" })

      yield* deploy
      const [game] = (yield* home.night).games
      assert.strictEqual(game?.verdict, "published")
      assert.strictEqual((yield* home.manifest).previous, published[0])
      assert.strictEqual(game?.reconciliation?.unexplained, 0)
      assert.deepStrictEqual(yield* home.query("select sequence::int as n from deployments order by all"), [
        { n: 1 },
        { n: 2 },
        { n: 3 }
      ])

      assert.strictEqual((yield* rollback(home, published[1])).snapshot, published[1])
      assert.deepStrictEqual(yield* state, second)
    }
  )
})

testIn(emptyHome).full(
  "a release computes a snapshot's changes again if it now follows another one than when it was held",
  function* () {
    const [first, held, third] = [1, 2, 3].map(nightId) as [SnapshotId, SnapshotId, SnapshotId]
    const named = (name: string, place: number) => ({
      ...day(cards(2, (id) => card(id, { name: `${name} ${id}` }))),
      completedAt: `${dayOf(place)}T03:00:00.000Z`
    })
    yield* publishNights([
      [first, named("First", 1)],
      [third, named("Third", 3)]
    ])
    const { changes, snapshot } = yield* Home
    const earlier = yield* readSnapshot(snapshot(gameId, first))
    const between = yield* snapshotOf(held, named("Second", 2), earlier)
    yield* diffSnapshots(earlier, between, changes(gameId, held))
    yield* writeHeldBack(between.folder, { reasons: ["it looked odd"] })
    const asked = { gameId, wanted: held, why: null }
    // Releasing an older one takes back what was published after it, so that has to be said.
    const before = yield* readCurrent
    const { message } = yield* Effect.flip(runRelease(asked))
    assert.include(message, `takes back ${third} and `)
    assert.include(message, ` cardlake release ${gameId} ${held} --take-back`)
    assert.deepStrictEqual(yield* readCurrent, before)
    assert.deepStrictEqual((yield* runRelease({ ...asked, takesBack: true })).takenBack, [third])
    yield* runRollback({ gameId, wanted: third, why: null })
    const names = `select distinct from_snapshot, old from changes where to_snapshot = '${third}' and id = 2 and field = 'name'`
    assert.deepStrictEqual(yield* lakeRows(names), [{ from_snapshot: held, old: "Second 2" }])
    const versions = "select name from product_history where product_id = 2 order by valid_from"
    assert.deepStrictEqual(yield* lakeRows(versions), [{ name: "First 2" }, { name: "Second 2" }, { name: "Third 2" }])
  }
)
