import { DamageableHome, games } from "./damageableHome.ts"
import { damageHome, kinds } from "./damagedHome.ts"
import { failureOf, suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runReplay } from "../../src/night/run/runReplay.ts"

const [game] = games

const flip = (file: string) => {
  const bytes = readFileSync(file)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

suite(DamageableHome.layer, "a damaged home", (it) => {
  for (const kind of kinds) {
    it(`of which a file is ${kind} loses nothing else, publishes nothing wrong, and names the file`, function* () {
      const { cases, refused } = yield* damageHome([kind], () => true)
      console.log(`${kind}: ${cases} cases, ${refused} nights refused`)
    }, 1_800_000)
  }

  it("loses no published file; what can be made from raw pages is rebuilt byte for byte", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const live = (yield* home.current).games[game]?.snapshot ?? ""
    const mended = [
      `snapshots/game=${game}/snapshot=${live}/manifest.json`,
      `changes/game=${game}/to=${live}/product_versions.parquet`,
      `changes/game=${game}/to=${live}/price_moves.parquet`,
      `changes/game=${game}/to=${live}/diff.json`
    ]
    const before = yield* home.query("select count(*)::int as n from changes")
    for (const path of mended) {
      yield* startOver
      rmSync(join(home.root, path))
      const said = yield* failureOf(night)
      assert.include(said, path)
      assert.match(said, /backup, or repair what can be repaired with: cardlake doctor --repair$/)
      for (const other of files.keys()) if (other !== path) assert.isTrue(existsSync(join(home.root, other)), other)
      const { left } = yield* repair
      assert.deepStrictEqual(left, [])
      assert.isTrue(files.get(path)?.equals(readFileSync(join(home.root, path))), path)
      assert.deepStrictEqual(yield* home.query("select count(*)::int as n from changes"), before)
    }
  })

  it("publishes no flipped bit: a night and a replay name it, and a repair mends it", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const [, unchanged] = games
    const { snapshot = "" } = (yield* home.current).games[unchanged] ?? {}
    const path = `snapshots/game=${unchanged}/snapshot=${snapshot}/products.parquet`
    flip(join(home.root, path))
    assert.include(yield* failureOf(night), `${path} is damaged: its sha256 has changed`)
    const replay = runReplay(unchanged, snapshot).pipe(Effect.provideContext(home.services))
    assert.deepStrictEqual(
      (yield* replay).tables.filter(({ equal }) => !equal).map(({ isWhole, table }) => ({ isWhole, table })),
      [{ isWhole: false, table: "products" }]
    )
    assert.deepStrictEqual((yield* repair).left, [])
    assert.isTrue(files.get(path)?.equals(readFileSync(join(home.root, path))))
    assert.isTrue((yield* replay).equal)
  })

  it("goes on without exchange rates that are damaged, and takes new ones in their place", function* () {
    const { home, loadRates, night, startOver } = yield* DamageableHome
    yield* startOver
    flip(home.paths.rates)
    // Otherwise the next lake would start from this one, which has them.
    rmSync(home.paths.lake)
    assert.strictEqual((yield* night).verdict, "published")
    assert.deepStrictEqual(yield* home.query("select count(*)::int as n from fx_rates"), [{ n: 0 }])
    yield* loadRates
    assert.isAbove(Number((yield* home.query("select count(*)::int as n from fx_rates"))[0]?.["n"]), 0)
  })
})
