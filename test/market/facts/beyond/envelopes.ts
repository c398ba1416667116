import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, section, untried } from "../Fact.ts"
import { answered, readAll, readList, refused, all, at, keysAt, listAt } from "../reading/ask.ts"
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
    const add = () => me.ask("POST /v1/inventory", { lines: [writes] }, { "idempotency-key": "once-1" })
    const [first, second] = [await add(), await add()]
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
    for (const [seconds, quantity] of [
      [0, 2],
      [86_400 - 60, 2],
      [120, 4]
    ] as const) {
      await wait(seconds)
      await answered(me.ask("POST /v1/inventory", { lines: [writes] }, { "idempotency-key": "once-3" }))
      deepEqual(await readAll(me.ask("GET /v1/inventory"), "data.*.quantity"), [quantity])
    }
  }),
  fact("", "the answer to a refused write is repeated, too", async ({ seller }) => {
    const me = await seller()
    const headers = { "idempotency-key": "once-4" }
    const change = () => me.ask("PATCH /v1/inventory/none", { comment: "x" }, headers)
    const [first, second] = [await change(), await change()]
    deepEqual([second.status, at(second.json, "code")], [first.status, at(first.json, "code")])
  }),
  untried("", "the published client sends no idempotency key by itself", "it is a fact about a client"),
  fact("", "a DELETE carries a JSON body, which may be {}", async ({ withLine }) => {
    const { me, path } = await withLine()
    await answered(me.ask(`DELETE ${path}`, {}))
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

export const disagreements = [
  section("beyond", "15. Where the published client and the spec disagree", [
    fact("1", "search paging is read from the query first, then from the body", async ({ ask }) => {
      const page = await answered(ask("POST /v1/products/search?limit=2&offset=1", { limit: 5, offset: 4 }))
      deepEqual([at(page, "pagination.limit"), at(page, "pagination.offset")], [2, 1])
    }),
    fact("2", "GET /v1/products is a search without filters", async ({ ask }) => {
      const [list, search] = [
        await ask("GET /v1/products?limit=7&offset=3"),
        await ask("POST /v1/products/search?limit=7&offset=3", {})
      ]
      equal(list.text, search.text)
    }),
    fact("3", "currencies are the five of the specification", async ({ shop }) => {
      for (const currency of ["SEK", "DKK", "NOK", "PLN", "HUF", "AUD"]) {
        const lines = [{ ...card, listing: { price: { amount: 1, currency } } }]
        await refused(shop.ask("POST /v1/inventory", { lines }), 400)
      }
    }),
    fact("4", "nameSlug is unique in its game, as the specification says", async ({ products }) => {
      const slugs = products.map((each) => `${String(at(each, "gameId"))} ${String(at(each, "nameSlug"))}`)
      equal(new Set(slugs).size, slugs.length)
    }),
    fact("5", "a changed item of the changelog has slug and id", async ({ ask }) => {
      const page = await answered(ask("GET /v1/feeds/emberfall/changelog?includeChanges=true"))
      const items = listAt(page, "data").at(-1)
      deepEqual(
        [...new Set(all(items, "changes.products.added.*").map((each) => keysAt(each, "").join(" ")))],
        ["id slug"]
      )
    }),
    fact("7", "price and id keys are the specification's", async ({ talk }) => {
      for (const word of ["cardmarket", "tcgplayer", "cardnexus", "scryfallId", "konamiId", "dreambornId", "riotId"])
        ok(
          talk.texts.every((text) => !text.includes(`"${word}"`)),
          word
        )
    }),
    fact("8", "the map of prices is pricesByFinish of a card, prices of a sealed product", async ({ products }) => {
      for (const each of products) {
        const isCard = at(each, "productType") === "card"
        deepEqual([at(each, "pricesByFinish") !== undefined, at(each, "prices") !== undefined], [isCard, !isCard])
      }
    }),
    fact("14", "a listed sale has metadata, shippingAddress, and of items inventoryId, customId", async ({ shop }) => {
      for (const each of await readList(shop.ask("GET /v1/sales?limit=100"), "data")) {
        ok(keysAt(each, "").includes("metadata") && keysAt(each, "").includes("shippingAddress"))
        for (const item of listAt(each, "items"))
          ok(keysAt(item, "").includes("inventoryId") && keysAt(item, "").includes("customId"))
      }
    }),
    fact("20", "an unknown id can be told by its code, whatever the status", async ({ ask }) => {
      for (const path of ["games/none", "products/99", "expansions/99", "inventory/none"])
        match(String(at((await ask(`GET /v1/${path}`)).json, "code")), /_?NOT_FOUND$/)
    }),
    ...[
      ["6", "scopes are open texts"],
      ["9", "a price block may have a date"],
      ["10", "a language has 2 to 20 characters"],
      ["11", "shipping.trackingNumber may be null"],
      ["12", "average, completionRate and avgShipTimeHours may be null"],
      ["13", "shipping.shippedAt may be null"],
      ["15", "keys of the client only are ignored"],
      ["16", "keys of July only are ignored"],
      ["17", "gradingService may be null in recent sales"],
      ["18", "links of jobs and of events end at different times"],
      ["19", "order.created may use an older set of statuses"],
      ["21", "a stale address of a feed is ignored"],
      ["22", "a 503 is tried again"]
    ].map(([row = "", says = ""]) => untried(row, says, "it tells a client what to take"))
  ]),
  section("beyond", "16. Outside the spec", [
    ...["tags", "locations"].map((kind) =>
      fact(kind, `${kind} are by name, in a bare list; a name is taken whatever its case`, async ({ seller }) => {
        const { ask } = await seller()
        const path = `/v1/inventory/${kind}`
        await answered(ask(`POST ${path}`, { name: "Fair", color: "red" }))
        deepEqual(await answered(ask(`GET ${path}`)), [{ name: "Fair", color: "red", icon: null }])
        await refused(ask(`POST ${path}`, { name: "FAIR" }), 409, "CONFLICT")
        await answered(ask(`PATCH ${path}/Fair`, { name: "Show" }))
        await answered(ask(`DELETE ${path}/Show`, {}))
        deepEqual(await answered(ask(`GET ${path}`)), [])
      })
    ),
    ...["lists", "offers", "optimizer", "tracking", "connect", "managed accounts"].map((kind) =>
      untried(kind, `${kind} are operations of the live service`, "outside the specification")
    )
  ])
]
