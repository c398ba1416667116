import { assert } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dialectNames } from "../../../src/feed/contract/dialect/dialects.ts"
import { expansion, gameId } from "../../store/lake/invented.ts"
import { proxyFor } from "../../pipelines/proxy.ts"
import { sampleFolder } from "../../market/Served.ts"
import { bothVias, homeBy, sumsOfTables, day, sendControl, servedDays } from "./bothVias.ts"
import { tried } from "../../tried.ts"
import { live } from "../../support/suite.ts"

live.full("a night by feed files and one by pages give the same tables, deployment by deployment", function* () {
  const { feeds, pages, sandbox } = yield* bothVias({ catalogue: sampleFolder, livePrices: "frozen" })
  for (const nth of tried([0, 1, 2, 3], (nth) => nth < 2)) {
    const fast = yield* feeds.night("clockwork-orchard")
    const slow = yield* pages.night("clockwork-orchard")
    assert.deepStrictEqual(
      fast.games.map(({ changes, reason, reconciliation, via, verdict }) => ({
        changes,
        reason,
        reconciliation,
        via,
        verdict
      })),
      slow.games.map(({ changes, reason, reconciliation, verdict }) => ({
        changes,
        reason,
        reconciliation,
        via: "feeds" as const,
        verdict
      }))
    )
    for (const { sums, table } of sumsOfTables) {
      assert.deepStrictEqual(yield* feeds.rows(sums), yield* pages.rows(sums), `${table} ${nth}`)
    }
    if (nth < 3) yield* sandbox.deploy("clockwork-orchard")
  }
})

live.full("an expansion that says the same in other words is explained by either way", function* () {
  const dated = (releaseDate: string) => ({ ...day(10), expansions: [expansion(1, { releaseDate })] })
  const days = [dated("2024-05-01T00:00:00.000Z"), dated("2024-05-01T02:00:00.000+02:00")]
  const { deploy, homeBy } = yield* servedDays(days)
  const homes = [yield* homeBy("feeds"), yield* homeBy("pages")]
  for (const { night } of homes) yield* night()
  yield* deploy
  for (const { night, rows } of homes) {
    yield* night()
    const claims = "select item_id::int as id, seen, explanation from reconciliations where entity = 'expansion'"
    assert.deepStrictEqual(yield* rows(claims), [{ id: 1, seen: null, explanation: "rewritten" }])
  }
})

live("prices that are others in every answer are read in one round, whatever the words", function* () {
  for (const dialect of tried(dialectNames, (name) => name === "live")) {
    const { sandbox } = yield* servedDays([day(10)], { dialect })
    let answers = 0
    const proxy = yield* proxyFor(sandbox.origin, async ({ answer }) => {
      answers += 1
      await sendControl(sandbox, "reprice", { gameId, seed: answers })
      return answer
    })
    const { home, night, rows } = yield* homeBy({ key: sandbox.key, url: proxy.url }, "feeds")
    const report = yield* night()
    assert.deepInclude(report.games[0], { verdict: "published", products: 6 }, report.games[0]?.reason ?? "")
    assert.isAbove(answers, 4)
    const [extraction = ""] = globSync("raw/**/extraction.json", { cwd: home })
    assert.strictEqual(JSON.parse(readFileSync(join(home, extraction), "utf8")).rounds, 1)
    assert.deepStrictEqual(yield* rows("select count(*)::int as n from source_prices"), [{ n: 4 }])
  }
})
