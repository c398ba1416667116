import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readAt, readList, all, at, keysAt, listAt, numberAt } from "../reading/ask.ts"
import { maybeAbsent, number, object, oneOf } from "../reading/kinds.ts"
import { box } from "../world/trade.ts"
import { priceHistory } from "./priceHistory.ts"
import { recentSales } from "./recentSales.ts"

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
