import { DamageableHome } from "./damageableHome.ts"
import { damageHome, kinds } from "./damagedHome.ts"
import { suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { readFileSync, rmSync, writeFileSync } from "node:fs"

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
