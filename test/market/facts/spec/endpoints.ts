import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, section } from "../Fact.ts"
import { answered, askAs, readAt, refused, all, at, listAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"
import { cursorFacts, offsetFacts, sold, stocked, swept } from "./lists.ts"

export const endpoints = [
  section("spec", "Endpoints", [
    fact("", "an address that is no endpoint is not found", async ({ ask }) => {
      await refused(ask("GET /v1/nothing"), 404, "NOT_FOUND")
    }),
    fact("", "a method that an endpoint does not have is refused", async ({ ask }) => {
      const { status } = await ask("PUT /v1/games", {})
      ok(status === 404 || status === 405)
    })
  ]),
  section("spec", "Conventions", [
    fact("", "Authorization: Bearer and the key is on every request", async ({ shop, url, talk }) => {
      const headers = { authorization: `Bearer ${shop.key}` }
      await answered(askAs(url, null, talk)("GET /v1/account/me", undefined, headers))
      await refused(askAs(url, null, talk)("GET /v1/account/me"), 401)
    }),
    ...cursorFacts,
    fact("", "the list of an account without lines is an empty list with null as nextCursor", async ({ party }) => {
      for (const path of ["/v1/inventory", "/v1/listings", "/v1/sales", "/v1/purchases"])
        deepEqual(await answered((await party()).ask(`GET ${path}`)), { data: [], pagination: { nextCursor: null } })
    }),
    fact("", "while lines come and go, none that stays is repeated or skipped", async (world) => {
      const me = await world.seller()
      const lines = Array.from({ length: 60 }, (_, number) => ({ ...card, customId: `stays-${number}` }))
      const staying = await world.stock(me, ...lines)
      let number = 0
      const found = await swept(me.ask, "/v1/inventory", 7, async () => {
        const [line] = await world.stock(me, { ...card, customId: `comes-${++number}` })
        if (number % 2 === 0) await answered(me.ask(`DELETE /v1/inventory/${String(at(line, "id"))}`, {}))
        await answered(me.ask(`PATCH /v1/inventory/${String(at(staying[number], "id"))}`, { comment: `${number}` }))
      })
      const ids = all(found, "*.id")
      equal(new Set(ids).size, ids.length)
      ok(all(staying, "*.id").every((id) => ids.includes(id)))
    }),
    fact("", "while sales are made, none is repeated or skipped", async (world) => {
      const me = await sold(world)
      const before = all(await swept(me.ask, "/v1/sales", 100), "*.orderNumber")
      const mine = await world.offer(me, 2, { productId: 10_010, condition: "LP" })
      const during = all(await swept(me.ask, "/v1/sales", 9, () => world.buy(world.buyer, [mine])), "*.orderNumber")
      equal(new Set(during).size, during.length)
      ok(before.every((order) => during.includes(order)))
    }),
    ...offsetFacts,
    fact("", "total is the size of what was filtered, not of the catalogue", async ({ ask, products }) => {
      const body = { productType: { op: "or", values: ["sealed"] } }
      const total = await readAt(ask("POST /v1/products/search?limit=1", body), "pagination.total")
      ok(Number(total) > 0 && Number(total) < products.length)
    }),
    fact("", "filters apply before pagination, also in cursor lists", async (world) => {
      const { ask } = await stocked(world)
      const page = await answered(ask("GET /v1/inventory?limit=50&customIdPrefix=line-11"))
      deepEqual([listAt(page, "data").length, at(page, "pagination.nextCursor")], [10, null])
    }),
    fact("", "catalogue, prices and feeds need no scope", async ({ buyer, keyFor }) => {
      const { ask } = await keyFor(buyer)
      const paths = [
        "games",
        "games/emberfall/expansions",
        "products/10007",
        "products/10007/prices",
        "products/10007/listings"
      ]
      for (const path of [...paths, "feeds/emberfall", "feeds/emberfall/changelog", "expansions/301"])
        await answered(ask(`GET /v1/${path}`))
      await answered(ask("POST /v1/products/search", { limit: 1 }))
    })
  ])
]
