import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried, type Fact } from "../Fact.ts"
import {
  answered,
  readAt,
  readList,
  all,
  at,
  keysAt,
  listAt,
  numberAt,
  readText,
  refused,
  textAt,
  readAll
} from "../reading/ask.ts"
import { maybeAbsent, number, object, oneOf, day, dateTime, just, maybeNull, money } from "../reading/kinds.ts"
import { box, card } from "../world/trade.ts"

const blocks = (products: ReadonlyArray<unknown>, name: string) =>
  [...all(products, `*.pricesByFinish.*.${name}`), ...all(products, `*.prices.${name}`)].filter(
    (it) => it !== undefined
  )
const source = fieldsOf("a source's block", ({ products }) => [
  ...blocks(products, "sourceEur"),
  ...blocks(products, "sourceUsd")
])
const region = fieldsOf("a region", ({ products }) => all(blocks(products, "marketplace"), "*.regions.*"))
/** Tidewrack after two more deployments, a week and a day later. */
const redeployed = once(async ({ ask, control }) => {
  for (let times = 0; times < 2; times++) await answered(control("POST /sandbox/deploy", { gameId: "tidewrack" }))
  const body = { gameFilters: { game: "tidewrack" }, productType: { op: "or", values: ["card"] } }
  return await readList(ask("POST /v1/products/search?limit=200", body), "data")
})

const operation = "GET /v1/products/{productId}/prices/history"

const path = "/v1/products/10007/prices/history"
const history = fieldsOf(
  "a row of the history",
  async ({ ask }) => await readList(ask(`GET ${path}?from=2026-03-01&to=2026-03-31`), "data")
)

/** The history of a product's prices. */
const priceHistory: ReadonlyArray<Fact> = [
  ...history(day, "date", ""),
  ...history(oneOf("sourceEur", "sourceUsd"), "marketplace", ""),
  ...history(oneOf("Standard", "Foil"), "finish", ""),
  ...history(maybeAbsent(number), "low mid high marketValue", ""),
  fact(operation, "one row a day, source and finish, oldest first", async ({ ask }) => {
    const rows = await readList(ask(`GET ${path}?from=2026-03-01&to=2026-03-31`), "data")
    const keys = rows.map((row) => ["date", "marketplace", "finish"].map((key) => textAt(row, key)).join(" "))
    equal(new Set(keys).size, keys.length)
    const dates = all(rows, "*.date").map(String)
    deepEqual(dates, dates.toSorted())
    ok(new Set(dates).size >= 2)
  }),
  ...[
    ["marketplace=sourceUsd", "marketplace", "sourceUsd"],
    ["finish=Foil", "finish", "Foil"]
  ].map(([query = "", key = "", value]) =>
    fact(operation, `?${query} finds its rows alone`, async ({ ask }) => {
      const found = await answered(ask(`GET ${path}?from=2026-03-01&to=2026-03-31&${query}`))
      deepEqual([...new Set(all(found, `data.*.${key}`))], [value])
    })
  ),
  fact(operation, "from and to are days, both included", async ({ ask }) => {
    const found = await answered(ask(`GET ${path}?from=2026-03-01&to=2026-03-01`))
    deepEqual(
      [at(found, "from"), at(found, "to"), [...new Set(all(found, "data.*.date"))]],
      ["2026-03-01", "2026-03-01", ["2026-03-01"]]
    )
    for (const query of ["from=yesterday", "from=2026-02-30", "to=2026-3-1"])
      await refused(ask(`GET ${path}?${query}`), 400)
  }),
  fact(operation, "to is today unless asked, from 30 days before", async ({ ask, control }) => {
    const today = (await readText(control("GET /sandbox/clock"), "now")).slice(0, 10)
    const found = await answered(ask(`GET ${path}`))
    const days = (Date.parse(textAt(found, "to")) - Date.parse(textAt(found, "from"))) / 86_400_000
    deepEqual([at(found, "to"), days], [today, 30])
  }),
  fact(operation, "it spans 365 days at most", async ({ ask }) => {
    await answered(ask(`GET ${path}?from=2025-03-01&to=2026-03-01`))
    await refused(ask(`GET ${path}?from=2025-02-28&to=2026-03-01`), 400)
  }),
  fact(operation, "the live block has no history", async ({ ask }) => {
    await refused(ask(`GET ${path}?marketplace=marketplace`), 400)
  })
]

const salesOperation = "GET /v1/products/{productId}/sales"

/** Sales of a product that nobody else trades: one stays, one is cancelled, one is refunded whole. */
const sold = once(async ({ ask, buy, buyer, offer, party, reach, seller }) => {
  const me = await seller()
  const british = await party({ country: "GB", currency: "GBP" })
  for (const [from, amount, condition, status, currency] of [
    [me, 3, "LP", "completed", "EUR"],
    [me, 4, "MP", "cancelled_seller", "EUR"],
    [me, 6, "DMG", "resolved_full_refund", "EUR"],
    [british, 5, "HP", "completed", "GBP"]
  ] as const) {
    const order = await buy(buyer, [await offer(from, amount, { productId: 10_013, condition }, currency)])
    await reach(from, order, status)
  }
  return await readList(ask("GET /v1/products/10013/sales"), "data")
})
const sale = fieldsOf("a recent sale", sold)

/** The recent sales of a product. */
const recentSales: ReadonlyArray<Fact> = [
  ...sale(dateTime, "soldAt", ""),
  ...sale(just("eu"), "region", ""),
  ...sale(money, "price priceEur", ""),
  ...sale(just("EUR"), "priceEur.currency", ""),
  ...sale(just(1), "quantity", ""),
  ...sale(just("Standard"), "finish", ""),
  ...sale(maybeNull(oneOf("LP", "HP")), "condition", ""),
  ...sale(just("en"), "language", ""),
  ...sale(maybeNull(object), "graded", ""),
  fact(salesOperation, "a price is as it was listed, and a cancelled or refunded sale is gone", async (world) => {
    deepEqual(all(await sold(world), "*.price"), [
      { amount: 5, currency: "GBP" },
      { amount: 3, currency: "EUR" }
    ])
  }),
  fact(salesOperation, "newest first", async ({ ask }) => {
    const times = (await readAll(ask(`GET /v1/products/${card.productId}/sales?limit=100`), "data.*.soldAt")).map(
      String
    )
    ok(times.length > 10)
    deepEqual(times, times.toSorted().toReversed())
  }),
  ...["condition=HP", "finish=Standard&condition=HP&language=en"].map((query) =>
    fact(salesOperation, `?${query} finds those sales alone`, async (world) => {
      await sold(world)
      const found = await answered(world.ask(`GET /v1/products/10013/sales?${query}`))
      deepEqual(all(found, "data.*.condition"), ["HP"])
    })
  ),
  fact(salesOperation, "a sale is there for 30 days", async (world) => {
    const count = (await sold(world)).length
    equal(count, 2)
    const left = async () => (await readList(world.ask("GET /v1/products/10013/sales"), "data")).length
    await world.wait(29 * 86_400)
    equal(await left(), 2)
    await world.wait(2 * 86_400)
    equal(await left(), 0)
  })
]

export const priceBlocks = section("beyond", "7. Price blocks", [
  ...source(oneOf("EUR", "USD"), "currency"),
  ...source(maybeAbsent(number), "low mid high marketValue", "low?, mid?, high?, marketValue?"),
  fact("change24h?, change7d?, change30d?", "they are percent of the market value of the history", async (world) => {
    const products = await redeployed(world)
    let compared = 0
    for (const product of products.filter((each) => JSON.stringify(each).includes('"change24h":')).slice(0, 10)) {
      const found = await answered(
        world.ask(`GET /v1/products/${String(at(product, "id"))}/prices/history?from=2026-03-01&to=2026-03-31`)
      )
      for (const finish of keysAt(product, "pricesByFinish"))
        for (const name of ["sourceEur", "sourceUsd"]) {
          const block = at(product, `pricesByFinish.${finish}.${name}`)
          const valueOn = (date: string) =>
            at(
              listAt(found, "data").find(
                (row) => at(row, "date") === date && at(row, "finish") === finish && at(row, "marketplace") === name
              ),
              "marketValue"
            )
          for (const [key, before] of [
            ["change24h", "2026-03-08"],
            ["change7d", "2026-03-02"]
          ] as const) {
            const [was, is] = [valueOn(before), valueOn("2026-03-09")]
            if (!number.is(at(block, key)) || !number.is(was) || !number.is(is)) continue
            ok(
              Math.abs(numberAt(block, key) - (Number(is) / Number(was) - 1) * 100) < 0.01,
              `${key} of ${String(at(product, "id"))}`
            )
            compared++
          }
        }
    }
    ok(compared > 3, `${compared} were compared`)
  }),
  untried("change24h?, change7d?, change30d?", "of the value 30 days before", "the games have 15 days"),
  ...source(maybeAbsent(object), "byCondition", "byCondition?"),
  fact("byCondition?", "of a source: low, listingCount, availableQuantity, byLanguage, all optional", async (world) => {
    const { products } = world
    const found = [...blocks(products, "sourceEur"), ...blocks(products, "sourceUsd")].flatMap((each) =>
      all(each, "byCondition.*")
    )
    ok(found.length > 0)
    for (const each of found)
      ok(keysAt(each, "").every((key) => ["low", "listingCount", "availableQuantity", "byLanguage"].includes(key)))
  }),
  ...region(number, "low"),
  ...region(object, "byCondition"),
  fact("byCondition", "of a region: low, listingCount, availableQuantity and byLanguage, all there", async (world) => {
    const { products } = world
    const found = all(blocks(products, "marketplace"), "*.regions.*.byCondition.*")
    ok(found.length > 0)
    for (const each of found) deepEqual(keysAt(each, ""), ["availableQuantity", "byLanguage", "listingCount", "low"])
  }),
  ...["listingCount", "availableQuantity"].map((key) =>
    fact("", `${key}: conditions come to at most the region, languages to at most their condition`, async (world) => {
      const { products } = world
      const sum = (values: ReadonlyArray<unknown>) => values.reduce<number>((total, value) => total + Number(value), 0)
      for (const each of all(blocks(products, "marketplace"), "*.regions.*")) {
        ok(sum(all(each, `byCondition.*.${key}`)) <= numberAt(each, key))
        for (const condition of all(each, "byCondition.*"))
          ok(sum(all(condition, `byLanguage.*.${key}`)) <= numberAt(condition, key))
      }
    })
  ),
  fact("GET /v1/products/{productId}/prices", "productId and the product's pricesByFinish", async ({ ask }) => {
    const product = await answered(ask("GET /v1/products/10007"))
    const pricesByFinish = at(product, "pricesByFinish")
    deepEqual(await answered(ask("GET /v1/products/10007/prices")), { productId: 10_007, pricesByFinish })
  }),
  fact("", "a sealed product's listing without a language counts in its region alone", async (world) => {
    const { ask, seller, stock } = world
    const block = async () =>
      await readAt(ask(`GET /v1/products/${box.productId}/prices`), "pricesByFinish.Standard.marketplace.regions.eu")
    const me = await seller()
    const listing = { price: { amount: 500, currency: "EUR" } }
    await stock(me, { ...box, listing })
    const before = await block()
    await stock(me, { ...box, language: null, listing })
    const after = await block()
    equal(numberAt(after, "listingCount"), numberAt(before, "listingCount") + 1)
    deepEqual(at(after, "byCondition"), at(before, "byCondition"))
  }),
  ...priceHistory,
  ...recentSales,
  untried("", "July's map was called finishes", "it is July's; `--dialect live-july` serves it")
])
