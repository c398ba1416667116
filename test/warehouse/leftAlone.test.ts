import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportedText } from "../../pipelines/print/exportText.ts"
import { listSkipReasons } from "../../src/warehouse/exportDrop.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { Home } from "../../src/store/home/Home.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { cardlake } from "../pipelines/cli.ts"
import { didTo, exportTo, dayOf as day, nightId, fourNights } from "./FourNights.ts"

const few = { tables: ["products", "source_prices"], span: { since: day(3), until: null, backfill: false } }
const asUsual = { ...few, span: { since: null, until: null, backfill: false } }

fourNights("an export that finds a table changed", (it) => {
  it.copy(
    "leaves it alone, brings the others up to date, exits with 4, and goes on once that is undone",
    function* (folder) {
      yield* exportTo(folder, { format: "delta", ...few })
      yield* runRollback({ gameId, wanted: nightId(3), why: null })
      const path = join(folder, "products/_delta_log/00000000000000000000.json")
      const ours = readFileSync(path, "utf8")
      writeFileSync(path, ours.replace(/fields\\":\[/, `fields\\":[{\\"name\\":\\"note\\",\\"type\\":\\"string\\"},`))
      const { root } = yield* Home
      const args = ["export", "--home", root, "--to", folder, "--table", "products", "--table", "source_prices"]
      const reason =
        /The Delta table products has a column note \(string\) that this version .* the program that made it/
      const { code, stdout } = yield* Effect.promise(() => cardlake(args))
      assert.strictEqual(code, 4)
      assert.match(stdout, reason)
      assert.match(stdout, /hollowmere +2026-05-04 +2026-05-04 +0 +1 +1 /)
      const { faults } = yield* verifyDrop(folder)
      assert.deepStrictEqual([faults.length, faults[0]?.partition], [1, "products"])
      assert.match(faults[0]?.what ?? "", reason)
      const again = yield* exportTo(folder, asUsual)
      assert.deepStrictEqual(didTo(again), [`nights ${day(4)} unchanged`])
      assert.lengthOf(listSkipReasons(again), 1)
      assert.match(exportedText(again), reason)
      writeFileSync(path, ours)
      assert.deepStrictEqual(didTo(yield* exportTo(folder, asUsual)), [
        `nights ${day(4)} unchanged`,
        `products ${day(4)} emptied`
      ])
    }
  )

  it.copy("refuses a folder of Iceberg tables that was moved, even if there is nothing to write", function* (folder) {
    const [first, moved] = [join(folder, "first"), join(folder, "moved")]
    yield* exportTo(first, { format: "iceberg", ...few })
    renameSync(first, moved)
    const refused = [yield* Effect.flip(exportTo(moved, asUsual)), yield* Effect.flip(verifyDrop(moved))]
    for (const { message } of refused) {
      assert.include(
        message,
        `The Iceberg table nights names a file outside ${moved}: ${first}/nights. Its paths point to`
      )
    }
  })
})
