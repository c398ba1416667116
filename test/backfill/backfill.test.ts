import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { onDay } from "../homes/frozenHome.ts"
import { gameId } from "../store/lake/invented.ts"
import { backfill } from "./Backfilled.ts"
import { eurRow, historyOf, historyServer, send } from "./historyServer.ts"
import { answers, folder, ledger, readHome } from "./readHome.ts"
import type { TinyHome } from "../safety/tinyNights.ts"
import { live } from "../support/suite.ts"

const statuses = (home: TinyHome) => ledger(home).map(({ product, status }) => `${product} ${status}`)

describe("a backfill", () => {
  live("asks for a year of every priced product, the dearest first, and keeps each answer", function* () {
    const { home, marketplace } = yield* readHome
    yield* marketplace.deploy
    const { games } = yield* backfill(home).pipe(onDay("05-04"))
    assert.deepStrictEqual(games, [
      // Two sources on three days of card 2, one source on three days of card 4. Card 1 is gone since.
      {
        gameId,
        queued: 3,
        stored: 2,
        rows: 9,
        refusedRows: 0,
        refused: 0,
        notFound: 1,
        failed: 0,
        reason: null,
        left: 0
      }
    ])
    assert.deepStrictEqual(statuses(home).slice(0, 3), ["2 queued", "4 queued", "1 queued"])
    assert.deepStrictEqual(statuses(home).slice(3).toSorted(), ["1 not found", "2 stored", "4 stored"])
    const names = ["2-2025-05-05-2026-05-04.json.gz", "4-2025-05-05-2026-05-04.json.gz"]
    assert.deepStrictEqual(answers(home), names)
    const text = gunzipSync(readFileSync(join(folder(home), "answers", names[0] ?? ""))).toString()
    assert.include(
      text,
      '{"date":"2026-05-01","marketplace":"sourceEur","finish":"Standard","low":0.1,"marketValue":30.0625}'
    )
  })

  live("that has been answered asks nothing, but for days before that somebody names later", function* () {
    const { home } = yield* readHome
    yield* backfill(home).pipe(onDay("05-04"))
    const again = yield* backfill(home).pipe(onDay("05-06"))
    assert.deepStrictEqual([again.requests, again.games[0]?.left], [0, 0])
    const further = yield* backfill(home, { from: "2025-01-01" }).pipe(onDay("05-06"))
    assert.deepStrictEqual([further.requests, further.games[0]?.queued], [3, 3])
    assert.include(answers(home), "2-2025-01-01-2025-05-04.json.gz")
    // More than a year is several calls.
    yield* backfill(home, { from: "2023-12-31" }).pipe(onDay("05-06"))
    assert.includeMembers(answers(home), ["2-2024-01-02-2024-12-31.json.gz", "2-2023-12-31-2024-01-01.json.gz"])
  })

  live("of a condition asks for those products alone; a later one without it asks for the rest", function* () {
    const { home } = yield* readHome
    const rare = yield* backfill(home, { where: "rarity = 'rare' and coalesce(market_value, 0) >= 0" })
    assert.deepStrictEqual([rare.requests, rare.games[0]?.stored], [2, 2])
    const cheap = yield* backfill(home, { where: "market_value < 7" })
    assert.deepStrictEqual([cheap.requests, cheap.games[0]?.stored], [1, 1])
    assert.strictEqual((yield* backfill(home)).requests, 1)
  })

  live("keeps and counts what breaks the contract, and goes on", function* () {
    const { home } = yield* readHome
    const server = yield* historyServer((asked, response) => {
      const { product } = asked
      if (product === 1) return send(response, `{"productId":1,"prices":[]}`)
      if (product === 4) return send(response, historyOf({ ...asked, product: 5 }, []))
      const bad = [
        eurRow("2026-04-01", 1),
        eurRow("2026-04-01", 2),
        eurRow("2026-04-31", 1),
        eurRow("2019-04-01", 1),
        eurRow("2026-04-02", 1.00001),
        eurRow("2026-04-03", 1, { marketplace: "elsewhere" })
      ]
      send(response, historyOf(asked, bad).replace('"marketValue":1}]', '"marketValue":1},{"finish":"Foil"}]'))
    })
    const { games } = yield* backfill(home, {}, server).pipe(onDay("05-04"))
    const [game] = games
    assert.deepStrictEqual([game?.stored, game?.rows, game?.refusedRows, game?.refused, game?.left], [1, 1, 6, 2, 0])
    assert.lengthOf(answers(home), 3)
    assert.includeMembers(
      ledger(home).flatMap(({ reason }) => reason ?? []),
      ["It has no list `data`", "It is of product 5"]
    )
  })

  live("asks again for what had no answer, and for an answer that was damaged since", function* () {
    const { home } = yield* readHome
    let broken = true
    const server = yield* historyServer((asked, response) => {
      if (broken && asked.product === 4) return send(response, '{"code":"BAD_REQUEST","message":"not now"}', 400)
      send(response, historyOf(asked, [eurRow("2026-04-01", asked.product)]))
    })
    const first = (yield* backfill(home, {}, server)).games[0]
    assert.deepStrictEqual([first?.stored, first?.failed, first?.left], [2, 1, 1])
    assert.match(first?.reason ?? "", /not now/)
    broken = false
    const [name = ""] = answers(home)
    writeFileSync(join(folder(home), "answers", name), "damaged")
    writeFileSync(join(folder(home), "answers", "mine.txt"), "foreign")
    server.asked.length = 0
    const second = (yield* backfill(home, {}, server)).games[0]
    assert.deepStrictEqual([second?.stored, second?.failed, second?.left], [2, 0, 0])
    assert.deepStrictEqual(server.asked.map(({ product }) => product).toSorted(), [1, 4])
    assert.strictEqual(readFileSync(join(folder(home), "answers", "mine.txt"), "utf8"), "foreign")
  })

  live("keeps to its share of the documented limit where answers state any, across runs", function* () {
    const { home } = yield* readHome
    // Three a minute of 10 ms, where the price history has six an hour.
    const minuteMillis = 10
    const arrived: Array<number> = []
    const server = yield* historyServer((asked, response) => {
      arrived.push(performance.now())
      send(response, historyOf(asked, []), 200, { "x-ratelimit-limit": "3" })
    })
    const run = (from: string) =>
      backfill(home, { from, where: "product_id = 1" }, { url: server.url, share: 0.5 }).pipe(
        Effect.provideService(RetryPolicy, { ...RetryPolicy.defaultValue(), minuteMillis })
      )
    yield* run("2023-06-01")
    yield* run("2021-06-01")
    assert.isAtLeast(arrived.length, 5)
    const mostInAnHour = arrived.map((at) => arrived.filter((other) => other > at - 600 && other <= at).length)
    assert.isAtMost(Math.max(...mostInAnHour), 3)
  })
})
