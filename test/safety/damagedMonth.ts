import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RunReport } from "../../src/night/observe/RunReport.ts"
import { listSkipReasons } from "../../src/warehouse/exportDrop.ts"
import { scratchSession } from "../../src/store/lake/duckdb/Lake.ts"
import { exportTo } from "../warehouse/FourNights.ts"
import { failureOf, newFolder, type Test } from "../support/suite.ts"
import { DamageableHome, games, pathOf } from "./damageableHome.ts"
import { tried } from "../tried.ts"

const [game, other] = games
/** Everything that the history says, night by night. */
const history = `
  select 'prices' as what, game_id, snapshot as of, count(*)::int as n,
    bit_xor(hash(seen_at, product_id, finish, source, low, market_value))::varchar as content
  from source_price_history group by all
  union all select 'products', game_id, valid_from::varchar, count(*)::int,
    bit_xor(hash(product_id, name, finishes, change, changed, valid_to))::varchar
  from product_history group by all
  union all select 'nights', game_id, snapshot, place, seen_at::varchar from nights
  order by all`

const verdicts = ({ games }: RunReport) => games.map(({ gameId, verdict }) => [gameId, verdict]).toSorted()
const monthOf = (gameId: string) => new RegExp(`^history/game=${gameId}/.*part\\.json$`)
const cut = (file: string) => writeFileSync(file, readFileSync(file).subarray(1))

/** Tests of a month without its record, with the home of `damagedHome.test.ts`: making it takes as long as two of them. */
export const damagedMonth = (it: Test<DamageableHome>) => {
  it("stops its own game, by name; the other is published, and no row of the history is lost", function* () {
    const { files, home, night, startOver } = yield* DamageableHome
    const theirs = files.get(pathOf(files, monthOf(game))) ?? Buffer.alloc(0)
    const path = pathOf(files, monthOf(other))
    const damages = [
      (file: string) => rmSync(file),
      (file: string) => cut(file),
      (file: string) => writeFileSync(file, theirs)
    ]
    for (const damage of tried(damages, (_, index) => index === 0)) {
      yield* startOver
      const before = yield* home.query(history)
      damage(join(home.root, path))
      const report = yield* night
      assert.deepStrictEqual(verdicts(report), [
        [game, "published"],
        [other, "failed"]
      ])
      assert.include(report.games.find(({ gameId }) => gameId === other)?.reason ?? "", path)
      const after = yield* home.query(history)
      const known = new Set(after.map((row) => JSON.stringify(row)))
      for (const row of before.filter((row) => row["what"] !== "products" || row["game_id"] === other))
        assert.isTrue(known.has(JSON.stringify(row)), JSON.stringify(row))
    }
    // The drop gets the other game, and says why it lacks this one.
    const drop = join(yield* newFolder, "drop")
    const exported = yield* Effect.provideContext(exportTo(drop, {}), home.services)
    const written = exported.games.filter(({ partitions }) => partitions.length > 0)
    assert.deepStrictEqual(
      written.map(({ gameId }) => gameId),
      [game, "_all"]
    )
    assert.include(listSkipReasons(exported).join(), path)
  })

  it("is rebuilt by a repair as the lake has it on record, unless a file of it is another", function* () {
    const { doctor, files, home, night, repair, startOver } = yield* DamageableHome
    const path = pathOf(files, monthOf(other))
    yield* startOver
    const before = yield* home.query(history)
    rmSync(join(home.root, path))
    const { done, left } = yield* repair
    assert.deepStrictEqual(left, [])
    assert.match(done.join(), /month 2026-05 of tarnwick has its part.json again, as the lake has it on record/)
    assert.isTrue(files.get(path)?.equals(readFileSync(join(home.root, path))))
    assert.deepStrictEqual(yield* home.query(history), before)
    yield* doctor
    assert.deepStrictEqual(verdicts(yield* night), [
      [game, "published"],
      [other, "unchanged"]
    ])

    yield* startOver
    rmSync(join(home.root, path))
    const prices = join(home.root, dirname(path), "source_prices.parquet")
    copyFileSync(join(home.root, dirname(pathOf(files, monthOf(game))), "source_prices.parquet"), prices)
    for (const again of tried([repair, (yield* DamageableHome).accept], (_, index) => index === 1)) {
      const { left } = yield* again
      assert.include(left.join(), `${prices} is damaged: it has `)
    }

    // Another program may have written anything into the file that names the nights.
    const columns = ["'../../escaped' as snapshot", "'infinity'::timestamptz as seen_at"]
    for (const column of tried(columns, () => false)) {
      yield* startOver
      rmSync(join(home.root, path))
      rmSync(home.paths.lake)
      yield* Effect.scoped(
        Effect.flatMap(scratchSession, ({ run }) =>
          run(
            "Spoil",
            `copy (select * replace (${column}) from read_parquet('${prices}')) to '${prices}.new' (format parquet)`
          )
        )
      ).pipe(Effect.provide(home.services))
      renameSync(`${prices}.new`, prices)
      const { left } = yield* repair
      assert.include(left.join(), `${prices} is damaged: it has rows of no night`, left.join())
    }
  })

  it.full(
    "that no lake has on record is rebuilt where each night is on record, else only if that is accepted",
    function* () {
      const { accept, doctor, files, home, night, repair, startOver } = yield* DamageableHome
      const path = pathOf(files, monthOf(other))
      yield* startOver
      const before = yield* home.query(history)
      rmSync(join(home.root, path))
      rmSync(home.paths.lake)
      // Without a record the lake cannot be built: nothing is published.
      assert.include(yield* failureOf(night), path)
      const said = (yield* repair).left.join("\n")
      assert.match(
        said,
        /nothing is on record about the rows of 1 night of its month: 20260510\S+\. .*doctor --repair --accept$/
      )
      const { done, left } = yield* accept
      assert.deepStrictEqual(left, [])
      assert.match(done.join(), /month 2026-05 of tarnwick has its part.json again, with the rows of 1 night accepted/)
      assert.deepStrictEqual(yield* home.query(history), before)
      yield* doctor
      assert.deepStrictEqual(verdicts(yield* night), [
        [game, "published"],
        [other, "unchanged"]
      ])
    }
  )

  it.full("that is an empty folder beside a month stops its game until a repair sets it aside", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const before = yield* home.query(history)
    const month = dirname(dirname(join(home.root, pathOf(files, monthOf(other)))))
    mkdirSync(join(month, "part=20990101T000000000Z-0000"))
    const { done, left } = yield* repair
    assert.deepStrictEqual(left, [])
    assert.match(done.join(), /part=2099\S+, which has no file of a month, is set aside/)
    assert.deepStrictEqual(yield* home.query(history), before)
    assert.strictEqual((yield* night).verdict, "published")
  })

  it("that is gone with its files is missed by the night", function* () {
    const { accept, doctor, files, home, night, startOver } = yield* DamageableHome
    yield* startOver
    const path = pathOf(files, monthOf(other))
    rmSync(dirname(dirname(join(home.root, path))), { recursive: true })
    const missed = `${path} is damaged: it is missing`
    assert.include(yield* failureOf(night), missed)
    assert.include(yield* failureOf(doctor), missed)
    assert.deepStrictEqual((yield* accept).left, [])
  })
}
