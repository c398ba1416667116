import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gameId, idOf } from "../store/lake/invented.ts"
import { jsonFile, tinyMarketplace } from "./tinyNights.ts"
import { live } from "../support/suite.ts"

live("a night without news that cannot be published is reported as failed, not as unchanged", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const { run } = yield* home.night
  const file = join(home.paths.snapshot(gameId, idOf(run)), "products.parquet")
  const bytes = readFileSync(file)
  bytes[60] = (bytes[60] ?? 0) ^ 1
  writeFileSync(file, bytes)
  assert.strictEqual((yield* Effect.exit(home.night))._tag, "Failure")
  const last = readdirSync(home.paths.runs).toSorted().at(-1) ?? ""
  const report = jsonFile(join(home.paths.runs, last)) as {
    readonly verdict: string
    readonly games: ReadonlyArray<{ readonly verdict: string; readonly reason: string }>
  }
  assert.deepStrictEqual([report.verdict, report.games[0]?.verdict], ["failed", "failed"])
  assert.match(report.games[0]?.reason ?? "", /products\.parquet is damaged/)
})
