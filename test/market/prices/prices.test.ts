import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, sampleFolder, Served } from "../Served.ts"
import { makePair } from "../orders/Sold.ts"
import { suite, values } from "../../support/sandbox.ts"

const json = (path: string) => Effect.map(ask(path), (answer) => answer.json as unknown)

suite(Served.layer())("a history", (it) => {
  it("ends at the live deployment", function* () {
    const days = Effect.map(
      json("/v1/products/10238/prices/history?from=2026-03-01&to=2026-03-31"),
      (answer) => new Set(values((answer as HistoryAnswer).data, "date"))
    )
    assert.deepEqual([...(yield* days)], ["2026-03-01"])
    yield* ask("/sandbox/deploy", { body: { gameId: "emberfall" } })
    assert.deepEqual([...(yield* days)], ["2026-03-01", "2026-03-08"])
  })
})

suite(Served.layer())("recent sales of a product", (it) => {
  it("have their seller's region, and come page by page, each once", function* () {
    const items = [1.1, 2.2, 3.3].map((price) => ({ productId: 10_016, price, quantity: 1 }))
    const { buyer, order } = yield* makePair({ currency: "USD", items })
    for (const _ of ["once", "again"]) yield* order
    const page = (cursor: string) => ask(`/v1/products/10016/sales?limit=4${cursor}`, { key: buyer.key })
    const { json: first } = yield* page("")
    const { json: second } = yield* page(`&cursor=${first.pagination.nextCursor}`)
    const found = values([...first.data, ...second.data], "region", "price.amount", "priceEur.amount")
    // A euro is 1.10 dollars in the sandbox.
    const sold = [1.1, 2.2, 3.3].map((price, at) => ["na", price, at + 1])
    assert.deepEqual(found, [...sold, ...sold])
    assert.deepEqual([first.data.length, second.pagination.nextCursor], [4, null])
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
  ["the demo", { catalogue: story, odd: true }, { deploys: 2, from: "2026-07-01", on: "2026-08-10", products: 8 }]
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
      // The demo has prices of every day, and so all three percentages.
      assert.isAbove(compared, deploys > 0 ? 3 * products : products / 2)
    })
  })
}
