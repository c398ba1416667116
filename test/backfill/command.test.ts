import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { gameId } from "../store/lake/invented.ts"
import { cardlake, filesBelow, key, main, node, start } from "../pipelines/cli.ts"
import { eurRow, historyOf, historyServer, send } from "./historyServer.ts"
import { folder, readHome } from "./readHome.ts"
import { live } from "../support/suite.ts"

describe("cardlake backfill", () => {
  live("refuses to run twice at once, and lets a night publish", function* () {
    const { home, marketplace } = yield* readHome
    const waiting: Array<() => void> = []
    const server = yield* historyServer((asked, response) => {
      waiting.push(() => send(response, historyOf(asked, [])))
    })
    const env = { ...home.settings, CARDLAKE_URL: server.url }
    const first = start(node, [main, "backfill", gameId, "--json"], { env })
    // The first question goes out alone.
    while (waiting.length < 1) yield* Effect.sleep(20)
    waiting.shift()?.()
    while (waiting.length < 2) yield* Effect.sleep(20)
    const second = yield* Effect.promise(() => cardlake(["backfill", gameId], { env }))
    assert.strictEqual(second.code, 1)
    assert.match(second.stderr, /backfill is locked by another backfill, process \d+ on .+ then run this again/)
    yield* marketplace.deploy
    const night = yield* home.night
    assert.strictEqual(night.games[0]?.verdict, "published")
    assert.deepStrictEqual(
      night.backfills?.map(({ answers, products }) => [answers, products]),
      [[1, 1]]
    )
    for (const answer of waiting) answer()
    const ended = yield* Effect.promise(() => first.ended)
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.deepInclude((JSON.parse(ended.stdout) as { games: ReadonlyArray<object> }).games[0], { stored: 3, left: 0 })
    assert.deepStrictEqual(
      (yield* home.night).backfills?.map(({ answers }) => answers),
      [2]
    )
  })

  live("never writes the key into a file", function* () {
    const { home } = yield* readHome
    const settings = { ...home.settings, CARDLAKE_API_KEY: key }
    const server = yield* historyServer((asked, response) =>
      send(response, historyOf(asked, [eurRow("2026-04-01", 1, { note: `Bearer ${key}` })]), 200, {
        "x-request-id": key
      })
    )
    const ended = yield* Effect.promise(() =>
      cardlake(["backfill", gameId], { env: { ...settings, CARDLAKE_URL: server.url } })
    )
    assert.strictEqual(ended.code, 0, ended.stderr)
    for (const file of filesBelow(join(home.root, "backfill"))) {
      const bytes = readFileSync(file)
      assert.notInclude((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(), key)
    }
  })

  live("says what is wrong with its command line", function* () {
    const { home } = yield* readHome
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => cardlake(["backfill", ...args], { env: home.settings }))
    const unknown = yield* run("elsewhere")
    assert.deepStrictEqual([unknown.code, /has no game elsewhere/.test(unknown.stderr)], [2, true])
    const where = yield* run(gameId, "--where", "price > 3")
    assert.strictEqual(where.code, 2)
    assert.match(where.stderr, /--where "price > 3" is not a condition on products .+"price"/)
    for (const odd of ["max(market_value) > 3", "name", "rarity =", "true); select (1=1", "exists (from nowhere)"]) {
      const { code, stderr } = yield* run(gameId, "--where", odd)
      assert.deepStrictEqual([code, stderr.includes("is not a condition on products")], [2, true], odd + stderr)
      assert.include(stderr, "cardlake describe products")
    }
    assert.isFalse(existsSync(join(folder(home), "ledger.ndjson")))
    assert.strictEqual((yield* run(gameId, "--budget", "2")).code, 2)
    assert.strictEqual((yield* run()).code, 2)
  })
})
