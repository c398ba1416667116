import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { gameId } from "../store/lake/invented.ts"
import { cardlake, filesBelow, key, main, node, start } from "../pipelines/cli.ts"
import { backfill } from "./Backfilled.ts"
import { eurRow, historyOf, historyServer, send, type AskedHistory } from "./historyServer.ts"
import { answers, folder, ledger, readHome } from "./readHome.ts"
import type { TinyHome } from "../safety/tinyNights.ts"
import { live } from "../support/suite.ts"
import { rounds } from "../tried.ts"

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

  live.full(
    "that is killed goes on without a call whose answer is there, and ends like one that was not",
    function* () {
      const { home } = yield* readHome
      const answer = (asked: AskedHistory) =>
        historyOf(asked, [eurRow("2026-04-01", asked.product + asked.from.length)])
      const server = yield* historyServer((asked, response) => {
        setTimeout(() => send(response, answer(asked)), Math.random() * 40)
      })
      const args = ["backfill", gameId, "--from", "2006-01-01"]
      const env = { ...home.settings, CARDLAKE_URL: server.url }
      for (let kills = 0; kills < rounds(3, 1); kills++) {
        const before = existsSync(folder(home)) ? answers(home).filter((name) => name.endsWith(".gz")) : []
        server.asked.length = 0
        const run = start(node, [main, ...args], { env })
        while (server.asked.length < 1) yield* Effect.sleep(10)
        yield* Effect.sleep(Math.random() * 120)
        run.process.kill("SIGKILL")
        yield* Effect.promise(() => run.ended)
        const asked = server.asked.map(({ from, product, to }) => `${product}-${from}-${to}.json.gz`)
        assert.deepStrictEqual(
          asked.filter((name) => before.includes(name)),
          []
        )
      }
      assert.strictEqual((yield* Effect.promise(() => cardlake(args, { env }))).code, 0)
      const { home: calm } = yield* readHome
      yield* backfill(calm, { from: "2006-01-01" }, server)
      assert.deepStrictEqual(answers(home), answers(calm))
      for (const name of answers(home)) {
        const bytes = (of: TinyHome) => gunzipSync(readFileSync(join(folder(of), "answers", name))).toString()
        assert.strictEqual(bytes(home), bytes(calm))
      }
      const last = new Map(ledger(home).map(({ from, product, status }) => [`${product} ${from}`, status]))
      assert.deepStrictEqual([...new Set(last.values())], ["stored"])
    }
  )

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
