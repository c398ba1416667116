import { testIn } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { exportedText } from "../../pipelines/print/exportText.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { card, gameId } from "../store/lake/invented.ts"
import { assertFault, cardlake } from "../pipelines/cli.ts"
import { didTo, exportTo, temporaryFolder, dayOf, FourNights, nightId, fourNights } from "./FourNights.ts"
import { publishNights } from "./publishNights.ts"

fourNights("an export of an unknown", (test) => {
  for (const [what, named, says] of [
    ["table", ["--table", "prodcts"], /^cardlake: Unknown table: prodcts\. Choose from: games, .*products/],
    ["game", ["magicc"], /^cardlake: Unknown game: magicc\. Choose from: \w+/]
  ] as const) {
    test.home(`${what} is a usage error and writes nothing`, function* () {
      const { root } = yield* FourNights
      const folder = join(yield* temporaryFolder, "drop")
      const ended = yield* Effect.promise(() => cardlake(["export", "--home", root, "--to", folder, ...named]))
      assertFault(ended, 2, says)
      assert.isFalse(existsSync(folder))
    })
  }
})

fourNights("a first export up to a day", (test) => {
  test.home("writes the last night up to that day", function* (folder) {
    const until = (day: string) => ({ tables: ["nights"], span: { since: null, until: day, backfill: false } })
    const exporting = (day: string) => exportTo(folder, until(day))
    const nothing = yield* exporting("2020-01-01")
    assert.deepStrictEqual(didTo(nothing), [])
    assert.include(exportedText(nothing), "Nothing was written: the destination has every night of that span")
    assert.deepStrictEqual(didTo(yield* exporting(dayOf(2))), [`nights ${dayOf(2)} added`])
  })
})

testIn(emptyHome)(
  "an export before the first night writes nothing, says so, and does not get in the way of the next one",
  function* () {
    const folder = yield* temporaryFolder
    for (const format of ["files", "delta", "iceberg", "ducklake"] as const) {
      const text = exportedText(yield* exportTo(folder, { format }))
      assert.strictEqual(
        text,
        "Nothing was written, because nothing has been published yet. See what was read with: cardlake snapshots; publish with: cardlake nightly"
      )
      assert.deepStrictEqual(readdirSync(folder), [], format)
    }
    const { message } = yield* Effect.flip(exportTo(folder, { games: [gameId] }))
    assert.match(message, /^Unknown game: .*\. No game is published yet\. Publish one with: cardlake nightly$/)
    yield* publishNights([[nightId(1), { products: [card(1)], completedAt: `${dayOf(1)}T03:00:00.000Z` }]])
    const tables = { tables: ["nights"] }
    assert.deepStrictEqual(didTo(yield* exportTo(folder, tables)), [`nights ${dayOf(1)} added`])
  }
)
