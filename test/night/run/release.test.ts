import { assert, describe } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { SnapshotId } from "../../../src/feed/contract/Ids.ts"
import { listSnapshots } from "../../../src/night/run/listSnapshots.ts"
import { runRelease } from "../../../src/night/run/runRelease.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { snapshotIdsOf } from "../../../src/store/home/Manifest.ts"
import { card, expansion, gameId } from "../../store/lake/invented.ts"
import { deployments, tinyHome, tinyMarketplace, type TinyHome } from "../../safety/tinyNights.ts"
import { live } from "../../support/suite.ts"

const priced = (id: number) =>
  card(id, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } })
const cards = (count: number, make = priced) => Array.from({ length: count }, (_, index) => make(index + 1))

const day = (products: ReadonlyArray<object>) => ({ expansions: [expansion(1)], products })
/** On the second day, a quarter of the cards have lost their price. */
const thinned = [day(cards(40)), day([...cards(30), ...cards(40, card).slice(30)])]
/** On the second day, one of 41 records breaks the contract. */
const broken = [day(cards(40)), day([...cards(40), { ...card(99), name: 7 }])]

const release = (home: TinyHome, wanted: string | null = null, takesBack = false) =>
  runRelease({ gameId, wanted, why: "looked at it", takesBack }).pipe(Effect.provideContext(home.services))
const rollback = (home: TinyHome, wanted: string | null = null, of = gameId) =>
  runRollback({ gameId: of, wanted, why: "wrong prices" }).pipe(Effect.provideContext(home.services))
const reasonOf = (exit: Exit.Exit<unknown, Error>) => (Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "done")

/** Two nights in a home; the second one also in a copy of the home with wider bounds. */
const twoNights = Effect.fnUntraced(function* (days: typeof thinned, wider: Record<string, string>) {
  const { deploy, newHome, sandbox } = yield* tinyMarketplace({ days })
  const home = yield* newHome
  yield* home.night
  const copy = yield* newHome
  cpSync(home.root, copy.root, { recursive: true })
  const other = yield* tinyHome(copy.root, sandbox.url, sandbox.key, wider)
  const before = yield* home.lake
  yield* deploy
  const [game] = (yield* home.night).games
  const [widerGame] = (yield* other.night).games
  return { home, before, game, other, widerGame }
})

describe("a snapshot is held", () => {
  live("when more records are refused than the bound allows; where none is held, release says so", function* () {
    const { game, other, widerGame } = yield* twoNights(broken, { CARDLAKE_HOLD_REFUSED: "0.03" })
    assert.include(game?.reason, "1 record was refused (2.4 %), more than 1.0 %")
    assert.strictEqual(widerGame?.verdict, "published")
    assert.include(
      reasonOf(yield* Effect.exit(release(other))),
      `no held snapshot newer than the published one of ${gameId}`
    )
    assert.include(reasonOf(yield* Effect.exit(release(other, "x"))), "no held snapshot x")
  })

  live(
    "when a price source covers 25 points fewer of the products, unless the game's own bound allows it; it is stored once, and a release publishes it and records why",
    function* () {
      const { before, game, home, widerGame } = yield* twoNights(thinned, {
        CARDLAKE_HOLD_COVERAGE: "0.1",
        [`CARDLAKE_HOLD_COVERAGE__${gameId.toUpperCase()}`]: "0.3"
      })
      assert.strictEqual(game?.verdict, "held")
      assert.include(game?.reason, "Source EUR prices 75.0 % of the products, down from 100.0 %")
      assert.deepStrictEqual(yield* home.lake, before)
      assert.strictEqual(widerGame?.verdict, "published")

      // The next night finds the same and does not store it again.
      const [again] = (yield* home.night).games
      assert.strictEqual(again?.verdict, "held")
      assert.include(again?.reason, "Source EUR")
      const [, held = ""] = readdirSync(`${home.paths.snapshots}/game=${gameId}`)
      assert.strictEqual(readdirSync(`${home.paths.snapshots}/game=${gameId}`).length, 2)
      assert.strictEqual(readdirSync(`${home.root}/raw/${gameId}`).length, 2)

      // A rollback neither returns to what was never published nor goes back before the first snapshot.
      const wanted = held.replace("snapshot=", "")
      assert.include(reasonOf(yield* Effect.exit(rollback(home, wanted))), `${wanted} as an earlier snapshot`)
      assert.include(reasonOf(yield* Effect.exit(rollback(home))), "does not have a snapshot before its current one")
      const mistyped = reasonOf(yield* Effect.exit(rollback(home, null, "tinny")))
      assert.include(mistyped, `The lake has no game tinny. It has: ${gameId}`)

      const done = yield* release(home)
      assert.strictEqual((yield* home.current).games[gameId]?.snapshot, done.snapshot)
      assert.strictEqual(done.reasons.length, 1)
      const [row] = yield* home.query(`select kind, why, verdict, snapshot from runs where run_id = '${done.run}'`)
      assert.deepEqual(row, { kind: "release", why: "looked at it", verdict: "published", snapshot: done.snapshot })
      assert.deepInclude((yield* home.current).history.at(-1), { run: done.run, kind: "release", why: "looked at it" })
      const [changed] = yield* home.query(
        "select count(distinct id)::int as products from changes where class = 'price'"
      )
      assert.strictEqual(changed?.["products"], 10)
      assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged")

      const states = Effect.map(Effect.provideContext(listSnapshots, home.services), (all) =>
        all.map(({ state }) => state)
      )
      assert.deepStrictEqual(yield* states, ["earlier", "current"])
      yield* rollback(home)
      assert.deepStrictEqual(yield* states, ["current", "taken back"])
    }
  )

  live(
    "by tonight's bounds, also if an earlier night stored it: what no bound holds any more is published",
    function* () {
      const { deploy, newHome, sandbox } = yield* tinyMarketplace({ days: thinned })
      const home = yield* newHome
      yield* home.night
      yield* deploy
      const held = SnapshotId.make((yield* home.night).run)
      const judgedBy = (bound: string) =>
        Effect.flatMap(
          tinyHome(home.root, sandbox.url, sandbox.key, { CARDLAKE_HOLD_COVERAGE: bound }),
          ({ night }) => night
        )
      const [stricter] = (yield* judgedBy("0.22")).games
      assert.match(stricter?.reason ?? "", /^Source EUR prices .*: a drop of more than 22\.0 points\. Look at it/)
      const raised = yield* judgedBy("0.3")
      assert.deepInclude(raised.games[0], { verdict: "published", reason: null, snapshot: held, products: 40 })
      assert.strictEqual(raised.games[0]?.changes?.products.modifiedPrice, 10)
      assert.deepInclude((yield* home.current).history.at(-1), { run: raised.run, kind: "nightly", snapshot: held })
      const [row] = yield* home.query("select count(distinct id)::int as n from changes where class = 'price'")
      assert.strictEqual(row?.["n"], 10)
      const stored = readFileSync(join(home.paths.snapshot(gameId, held), "held.json"), "utf8")
      assert.include(stored, "a drop of more than 20.0 points")
      assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged")
    }
  )

  live("never by a setting that is not a share; such a setting ends the night at once", function* () {
    for (const value of ["lots", "-1", "1.5"]) {
      const { newHome } = yield* tinyMarketplace({ settings: { CARDLAKE_HOLD_REMOVED: value } })
      const home = yield* newHome
      assert.include(
        reasonOf(yield* Effect.exit(home.night)),
        `CARDLAKE_HOLD_REMOVED is "${value}", which is not a share`
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
      const states: Array<ReadonlyArray<string>> = []
      for (let night = 0; night < 3; night++) {
        if (night > 0) yield* deploy
        yield* home.night
        states.push((yield* home.lake).filter((table) => !table.startsWith("deployment")))
      }
      const published = (yield* home.current).games[gameId]?.published ?? []
      const state = Effect.map(home.lake, (tables) => tables.filter((table) => !table.startsWith("deployment")))

      const done = yield* rollback(home)
      assert.deepStrictEqual([done.before, done.snapshot], [published[2], published[1]])
      assert.deepStrictEqual(yield* state, states[1])
      const [row] = yield* home.query(`select kind, why from runs where run_id = '${done.run}'`)
      assert.deepEqual(row, { kind: "rollback", why: "wrong prices" })

      yield* deploy
      const [game] = (yield* home.night).games
      assert.strictEqual(game?.verdict, "published")
      assert.strictEqual((yield* home.manifest).previous, published[1])
      assert.strictEqual(game?.reconciliation?.unexplained, 0)
      const sequences = yield* home.query("select sequence::int as n from deployments order by all")
      assert.deepStrictEqual(
        sequences.map((one) => one["n"]),
        [1, 2, 3, 4]
      )

      assert.strictEqual((yield* rollback(home)).snapshot, published[1])
      assert.strictEqual((yield* rollback(home, published[0])).snapshot, published[0])
      assert.deepStrictEqual(yield* state, states[0])
      assert.strictEqual((yield* rollback(home, published[2])).snapshot, published[2])
      assert.deepStrictEqual(yield* state, states[2])
    }
  )
})

describe("a release", () => {
  live("computes a snapshot's changes again if it now follows another one than when it was held", function* () {
    const named = (priced: number, name: string) =>
      Array.from({ length: 40 }, (_, index) =>
        card(index + 1, {
          name: `${name} ${index + 1}`,
          pricesByFinish: index < priced ? { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } : {}
        })
      )
    const days = [named(40, "First"), named(30, "Second"), named(39, "Third")].map(day)
    const { deploy, newHome } = yield* tinyMarketplace({ days })
    const home = yield* newHome
    const verdicts: Array<string | undefined> = []
    for (const night of [0, 1, 2]) {
      if (night > 0) yield* deploy
      verdicts.push((yield* home.night).games[0]?.verdict)
    }
    assert.deepStrictEqual(verdicts, ["published", "held", "published"])
    const [, held = "", third = ""] = yield* snapshotIdsOf(gameId).pipe(Effect.provideContext(home.services))
    // Releasing an older one takes back what was published after it, so that has to be said.
    const before = yield* home.current
    assert.match(
      reasonOf(yield* Effect.exit(release(home, held))),
      new RegExp(`would take back ${third}, .* cardlake release ${gameId} ${held} --take-back`)
    )
    assert.deepStrictEqual(yield* home.current, before)
    assert.deepStrictEqual((yield* release(home, held, true)).takenBack, [third])
    yield* rollback(home, third)
    const names = yield* home.query(
      `select distinct from_snapshot, old from changes where to_snapshot = '${third}' and id = 5 and field = 'name'`
    )
    assert.deepStrictEqual(names, [{ from_snapshot: held, old: "Second 5" }])
    const versions = yield* home.query("select name from product_history where product_id = 5 order by valid_from")
    assert.deepStrictEqual(versions, [{ name: "First 5" }, { name: "Second 5" }, { name: "Third 5" }])
  })
})
