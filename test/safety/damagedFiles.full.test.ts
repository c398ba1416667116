import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DamageableHome, games } from "./damageableHome.ts"
import { saidOf } from "./damagedHome.ts"
import { suite } from "../support/suite.ts"

const [game] = games

suite(DamageableHome.layer, "a damaged home", (it) => {
  it("loses no published file; what can be made from raw pages is rebuilt byte for byte", function* () {
    const { files, home, night, repair, startOver } = yield* DamageableHome
    yield* startOver
    const live = (yield* home.current).games[game]?.snapshot ?? ""
    const mended = [
      `snapshots/game=${game}/snapshot=${live}/manifest.json`,
      `changes/game=${game}/to=${live}/product_versions.parquet`,
      `changes/game=${game}/to=${live}/changes.parquet`,
      `changes/game=${game}/to=${live}/diff.json`
    ]
    const before = yield* home.query("select count(*)::int as n from changes")
    for (const path of mended) {
      yield* startOver
      rmSync(join(home.root, path))
      const said = saidOf(yield* Effect.exit(night))
      assert.include(said, path)
      assert.match(said, /backup, or repair what can be repaired with: cardlake doctor --repair$/)
      for (const other of files.keys()) if (other !== path) assert.isTrue(existsSync(join(home.root, other)), other)
      const { left } = yield* repair
      assert.deepStrictEqual(left, [])
      assert.isTrue(files.get(path)?.equals(readFileSync(join(home.root, path))), path)
      assert.deepStrictEqual(yield* home.query("select count(*)::int as n from changes"), before)
    }
  })
})
