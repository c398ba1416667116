import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, section, untried } from "../Fact.ts"
import { answered, readAll, readList, refused, all, at, keysAt, listAt, textAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"

const writes = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 2 }

export const envelopes = section("beyond", "1. Envelope rules shared by everything", [
  fact("", "a cursor list is data and pagination with nextCursor, nothing else", async ({ shop }) => {
    for (const path of [
      "inventory",
      "listings",
      "sales",
      "purchases",
      "products/10007/listings",
      "products/10007/sales"
    ]) {
      const page = await answered(shop.ask(`GET /v1/${path}?limit=1`))
      deepEqual([keysAt(page, ""), keysAt(page, "pagination")], [["data", "pagination"], ["nextCursor"]], path)
    }
  }),
  fact("", "an offset list's limit is 200 at most, also that of the inventory search", async ({ shop }) => {
    await answered(shop.ask("POST /v1/inventory/search", { limit: 200 }))
    await refused(shop.ask("POST /v1/inventory/search", { limit: 201 }), 400)
  }),
  fact("", "GET /v1/games is data alone", async ({ ask }) => {
    deepEqual(keysAt(await answered(ask("GET /v1/games")), ""), ["data"])
  }),
  fact("", "the price history has data and no pagination", async ({ ask }) => {
    const history = await answered(ask("GET /v1/products/10007/prices/history"))
    deepEqual(keysAt(history, ""), ["data", "from", "productId", "to"])
  }),
  fact("", "tags and locations are bare lists", async ({ shop }) => {
    for (const path of ["tags", "locations"]) ok(Array.isArray(await answered(shop.ask(`GET /v1/inventory/${path}`))))
  }),
  fact("", "an id in a request is a number or its digits, and a number in the answer", async ({ ask, seller }) => {
    for (const id of [10_007, "10007"]) {
      const found = await answered(ask("POST /v1/products/search", { productIds: [id] }))
      deepEqual(all(found, "data.*.id"), [10_007])
      const made = await answered((await seller()).ask("POST /v1/inventory", { lines: [{ ...writes, productId: id }] }))
      deepEqual(all(made, "created.*.productId"), [10_007])
    }
  }),
  ...["condition=LP&condition=HP", "condition[]=LP&condition[]=HP", "condition[0]=LP&condition[1]=HP"].map((query) =>
    fact("", `a list in the address is repeated: ${query}`, async ({ seller, stock }) => {
      const me = await seller()
      const listing = { price: { amount: 3, currency: "EUR" } }
      for (const condition of ["LP", "HP", "MP"]) await stock(me, { ...card, productId: 10_010, condition, listing })
      const page = await answered(me.ask(`GET /v1/products/10010/listings?limit=100&${query}`))
      const mine = listAt(page, "data").filter((each) => at(each, "seller.id") === me.id)
      deepEqual(mine.map((each) => at(each, "condition")).toSorted(), ["HP", "LP"])
      ok(all(page, "data.*.condition").every((each) => each === "LP" || each === "HP"))
    })
  ),
  fact("", "?metadata[key]=value finds the sales that have it", async ({ shop, byStatus }) => {
    for (const key of ["metadata[shelf]", "metadata%5Bshelf%5D"]) {
      const page = await answered(shop.ask(`GET /v1/sales?${key}=7`))
      deepEqual(all(page, "data.*.orderNumber"), [byStatus["completed"]?.orderNumber])
    }
    deepEqual(await readList(shop.ask("GET /v1/sales?metadata[shelf]=8"), "data"), [])
  }),
  ...["en", "fr", "it", "es", "de", "de-CH", "fr-FR,fr;q=0.9,en;q=0.5"].map((language) =>
    fact("", `Accept-Language: ${language} is taken; a name stays English if no other is known`, async (world) => {
      const { ask, shop } = world
      const headers = { "accept-language": language }
      const page = await answered(ask("POST /v1/products/search", { productIds: [10_007] }, headers))
      equal(at(page, "data.0.name"), "Ashen Warden")
      await answered(shop.ask("POST /v1/inventory/search", { limit: 1 }, headers))
      await answered(shop.ask("POST /v1/inventory/bulk/export", { format: "json" }, headers), 202)
    })
  ),
  untried("", "names come back translated where a translation is known", "the invented games have no translations"),
  fact("", "the same Idempotency-Key gives the same answer, and writes once", async ({ seller }) => {
    const me = await seller()
    const headers = { "idempotency-key": "once-1" }
    const [first, second] = [
      await me.ask("POST /v1/inventory", { lines: [writes] }, headers),
      await me.ask("POST /v1/inventory", { lines: [writes] }, headers)
    ]
    deepEqual([second.status, second.text], [200, first.text])
    deepEqual(await readAll(me.ask("GET /v1/inventory"), "data.*.quantity"), [2])
  }),
  fact("", "another account's key of the same name is another one", async ({ seller }) => {
    const headers = { "idempotency-key": "once-2" }
    for (const me of [await seller(), await seller()]) {
      await answered(me.ask("POST /v1/inventory", { lines: [writes] }, headers))
      deepEqual(await readAll(me.ask("GET /v1/inventory"), "data.*.quantity"), [2])
    }
  }),
  fact("", "after 24 hours the same Idempotency-Key writes again", async ({ seller, wait }) => {
    const me = await seller()
    const headers = { "idempotency-key": "once-3" }
    const quantities = async () => await readAll(me.ask("GET /v1/inventory"), "data.*.quantity")
    await answered(me.ask("POST /v1/inventory", { lines: [writes] }, headers))
    await wait(86_400 - 60)
    await answered(me.ask("POST /v1/inventory", { lines: [writes] }, headers))
    deepEqual(await quantities(), [2])
    await wait(120)
    await answered(me.ask("POST /v1/inventory", { lines: [writes] }, headers))
    deepEqual(await quantities(), [4])
  }),
  fact("", "the answer to a refused write is repeated, too", async ({ seller }) => {
    const me = await seller()
    const headers = { "idempotency-key": "once-4" }
    const path = "PATCH /v1/inventory/none"
    const [first, second] = [
      await me.ask(path, { comment: "x" }, headers),
      await me.ask(path, { comment: "x" }, headers)
    ]
    deepEqual([second.status, at(second.json, "code")], [first.status, at(first.json, "code")])
  }),
  untried("", "the published client sends no idempotency key by itself", "it is a fact about a client"),
  fact("", "a DELETE carries a JSON body, which may be {}", async ({ seller, stock }) => {
    const me = await seller()
    const [line] = await stock(me, card)
    await answered(me.ask(`DELETE /v1/inventory/${textAt(line, "id")}`, {}))
    await answered(me.ask("DELETE /v1/cart", {}))
  }),
  fact("", "each answer has X-Request-Id, X-RateLimit-Limit and X-RateLimit-Remaining, an error too", async (world) => {
    const { ask } = world
    const ids = new Set<string | null>()
    for (const request of ["GET /v1/games", "GET /v1/none", "GET /v1/products/1", "GET /v1/inventory?limit=0"]) {
      const { headers } = await ask(request)
      for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining"])
        match(headers.get(name) ?? "none", /^\d+$/, `${name} of ${request}`)
      ids.add(headers.get("x-request-id"))
    }
    ok(ids.size === 4 && !ids.has(null))
  })
])
