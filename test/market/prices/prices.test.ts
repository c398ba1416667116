import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, sampleFolder, Served } from "../Served.ts"
import { suite, values } from "../../support/sandbox.ts"

const json = (path: string, body?: unknown) =>
  Effect.map(ask(path, body === undefined ? {} : { body }), (answer) => answer.json as unknown)
/** What names a field that is wrong. */
const wrongField = (path: string, body?: unknown) =>
  Effect.map(
    ask(path, body === undefined ? {} : { body }),
    ({ json, status }) => `${status} ${json.code} ${String(json.data["field"])}`
  )

/** Foil is quoted in EUR, Standard in USD; the EUR value rose with the deployment of 9 March. */
const card = "/v1/products/10238/prices"
const history = (query: string) => json(`${card}/history?${query}`)

const standard = { marketplace: "sourceUsd", finish: "Standard", low: 1.56, mid: 2.15, marketValue: 1.95 }
const foil = { marketplace: "sourceEur", finish: "Foil", low: 1.04 }

suite(Served.layer({ live: "last" }))("prices of a product", (it) => {
  it("of a sealed product are under Standard", function* () {
    const usd = { currency: "USD", low: 49.08, mid: 67.48, marketValue: 61.34, change7d: 0 }
    const found = yield* json("/v1/products/10130/prices")
    assert.deepEqual(values([found], "pricesByFinish.Standard.sourceUsd"), [usd])
    assert.deepEqual(Object.keys(Object(values([found], "pricesByFinish")[0])), ["Standard"])
  })

  it("have a history: one row per day, source and finish, oldest first, both days included", function* () {
    assert.deepEqual(yield* history("from=2026-03-08&to=2026-03-09"), {
      productId: 10238,
      from: "2026-03-08",
      to: "2026-03-09",
      data: [
        { date: "2026-03-08", ...standard },
        { date: "2026-03-08", ...foil, marketValue: 1.3 },
        { date: "2026-03-09", ...standard },
        { date: "2026-03-09", ...foil, marketValue: 1.38 }
      ]
    })
  })

  it("have a history of the last 30 days unless a period is asked for", function* () {
    const { now } = (yield* json("/sandbox/clock")) as { now: string }
    const { data, from, to } = (yield* history("")) as { data: unknown; from: string; to: string }
    assert.deepEqual([to, Date.parse(to) - Date.parse(from)], [now.slice(0, 10), 30 * 86_400_000])
    assert.deepEqual(data, [])
    const until = (yield* history("to=2026-03-31")) as { data: ReadonlyArray<{ date: string }>; from: string }
    assert.deepEqual([until.from, until.data[0]?.date], ["2026-03-01", "2026-03-01"])
  })

  it("have no history of days that are none, too many or turned round, and none of the live block", function* () {
    for (const [path, field] of [
      ["prices/history?from=2026-02-31", "from"],
      ["prices/history?from=2026-03-02&to=2026-03-01", "from"],
      ["prices/history?from=2025-03-01&to=2026-03-02", "from"],
      ["prices/history?marketplace=marketplace", "marketplace"],
      ["prices/history?finish=", "finish"]
    ] as const)
      assert.strictEqual(yield* wrongField(`/v1/products/10238/${path}`), `400 BAD_REQUEST ${field}`, path)
    for (const path of ["prices", "prices/history", "sales"])
      assert.strictEqual(yield* wrongField(`/v1/products/one/${path}`), "400 BAD_REQUEST productId", path)
  })

  it("are found by external ids, each of one product and finish, in the order asked for", function* () {
    const answer = yield* json("/v1/products/resolve", { marketplace: "sourceUsd", ids: [600_001, 7, 600_108] })
    const [game, id] = [{ gameId: "emberfall" }, 10_088]
    const foil = { ...game, id: 10_007, name: "Ashen Warden", expansionId: 301, finish: "Foil" }
    const bundle = { ...game, id, name: "Silent Oath bundle", expansionId: 303, finish: "Standard" }
    assert.deepEqual(answer, {
      results: [
        { externalId: 600_001, product: foil },
        { externalId: 7, product: null },
        { externalId: 600_108, product: bundle }
      ]
    })
    const ids = Array.from({ length: 201 }, (_, at) => at)
    for (const [body, field] of [
      [{ marketplace: "eur", ids: [1] }, "marketplace"],
      [{ marketplace: "sourceEur", ids: [] }, "ids"],
      [{ marketplace: "sourceEur", ids }, "ids"],
      [{ marketplace: "sourceEur", ids: ["1"] }, "ids.0"]
    ] as const)
      assert.strictEqual(yield* wrongField("/v1/products/resolve", body), `400 BAD_REQUEST ${field}`)
  })
})

suite(Served.layer())("a history", (it) => {
  it("ends at the live deployment", function* () {
    const days = Effect.map(history("from=2026-03-01&to=2026-03-31"), (answer) => [
      ...new Set((answer as { data: ReadonlyArray<{ date: string }> }).data.map(({ date }) => date))
    ])
    assert.deepEqual(yield* days, ["2026-03-01"])
    yield* ask("/sandbox/deploy", { body: { gameId: "emberfall" } })
    assert.deepEqual(yield* days, ["2026-03-01", "2026-03-08"])
  })
})

interface Percentages {
  readonly change24h?: number | null
  readonly change7d?: number | null
  readonly change30d?: number | null
}
interface HistoryAnswer {
  readonly data: ReadonlyArray<{ date: string; marketplace: string; finish: string; marketValue?: number }>
}
type PricesAnswer = Readonly<Record<string, Readonly<Record<string, Percentages | undefined>>>>

/** The percentages that a product's own history gives on a day, by finish and source; rounded as the feed's. */
const fromHistory = ({ data }: HistoryAnswer, on: string) => {
  const valueOn = (day: string, of: (typeof data)[number]) =>
    data.find((row) => row.date === day && row.finish === of.finish && row.marketplace === of.marketplace)?.marketValue
  return data
    .filter(({ date }) => date === on)
    .map((row) => {
      const changeOver = (days: number) => {
        const old = valueOn(new Date(Date.parse(on) - days * 86_400_000).toISOString().slice(0, 10), row) ?? 0
        const now = row.marketValue ?? 0
        return old > 0 && now > 0 ? Number((((now - old) / old) * 100).toFixed(1)) : undefined
      }
      return [`${row.finish} ${row.marketplace}`, [1, 7, 30].map(changeOver)] as const
    })
}

const story = { story: sampleFolder }
for (const [name, options, { deploys, from, on, products }] of [
  ["the sample", { live: "last" }, { deploys: 0, from: "2026-03-09", on: "2026-03-16", products: 60 }],
  ["the demo", { catalogue: story, odd: true }, { deploys: 2, from: "2026-08-03", on: "2026-08-10", products: 8 }]
] as const) {
  suite(Served.layer(options))(`percentages of ${name}`, (it) => {
    it("are those that the price history gives, and there are none without it", function* () {
      for (let deployed = 0; deployed < deploys; deployed++) {
        yield* ask("/sandbox/deploy", { body: { gameId: "emberfall" } })
      }
      let compared = 0
      for (let id = 10_007; id < 10_007 + 3 * products; id += 3) {
        const { status, json: product } = yield* ask(`/v1/products/${id}/prices`)
        if (status !== 200) continue
        const { pricesByFinish } = product as unknown as { pricesByFinish: PricesAnswer }
        const history = yield* json(`/v1/products/${id}/prices/history?from=${from}&to=${on}`)
        for (const [place, wanted] of fromHistory(history as HistoryAnswer, on)) {
          const [finish = "", source = ""] = place.split(" sou").map((part, at) => (at === 0 ? part : `sou${part}`))
          const { change24h, change7d, change30d } = pricesByFinish[finish]?.[source] ?? {}
          const found = [change24h, change7d, change30d]
          const there = (percents: ReadonlyArray<unknown>) => percents.map((percent) => percent !== undefined)
          assert.deepEqual(there(found), there(wanted), `${id} ${place}`)
          for (const [at, percent] of wanted.entries()) {
            if (percent === undefined) continue
            assert.approximately(found[at] ?? Number.NaN, percent, 0.06, `${id} ${place}`)
            compared += 1
          }
        }
      }
      assert.isAbove(compared, products / 2)
    })
  })
}
