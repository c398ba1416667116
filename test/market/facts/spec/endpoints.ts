import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, section, type Fact, once } from "../Fact.ts"
import { answered, readAt, refused, all, at, listAt, type Ask, readList, numberAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"
import { unoffered, type World } from "../world/World.ts"

/** A seller with 120 listed lines, each with a customId of its number. */
const stocked = once(async ({ seller, stock }) => {
  const me = await seller()
  const lines = Array.from({ length: 120 }, (_, number) => ({
    ...card,
    productId: 10_025,
    customId: `line-${String(number).padStart(3, "0")}`,
    listing: { price: { amount: (100 + number) / 100, currency: "EUR" } }
  }))
  await stock(me, ...lines)
  return me
})

/** A seller with 52 sales, two more than a page. */
const sold = once(async ({ buy, party, offer, seller }) => {
  const me = await seller()
  const it = await offer(me, 1, { quantity: 1000, productId: 10_010 })
  const to = await party()
  for (let number = 0; number < 52; number++) await buy(to, [it])
  return me
})

interface List {
  readonly name: string
  readonly path: string
  readonly by: (world: World) => Promise<Ask>
}
const asking = async ({ ask }: World) => ask
const cursorLists: ReadonlyArray<List> = [
  { name: "inventory", path: "/v1/inventory", by: async (world) => (await stocked(world)).ask },
  { name: "the account's listings", path: "/v1/listings", by: async (world) => (await stocked(world)).ask },
  {
    name: "a product's listings",
    path: "/v1/products/10025/listings",
    by: async (world) => (await stocked(world)).ask
  },
  { name: "sales", path: "/v1/sales", by: async (world) => (await sold(world)).ask }
]
const offsetLists: ReadonlyArray<List & { readonly method: string; readonly body?: unknown }> = [
  { name: "the search", method: "POST", path: "/v1/products/search", body: {}, by: asking },
  { name: "a game's expansions", method: "GET", path: "/v1/games/emberfall/expansions", by: asking }
]

/** All pages of a cursor list, and what happens between them. */
const swept = async (
  ask: Ask,
  path: string,
  limit: number,
  between: () => Promise<unknown> = async () => undefined
) => {
  const data: Array<unknown> = []
  let cursor: unknown
  do {
    const more: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(String(cursor))}`
    const page: unknown = await answered(ask(`GET ${path}?limit=${limit}${more}`))
    data.push(...listAt(page, "data"))
    cursor = at(page, "pagination.nextCursor")
    await between()
  } while (cursor !== null)
  return data
}

const ofCursorList = ({ by, name, path }: List): ReadonlyArray<Fact> => [
  fact("", `${name}: a page is 50 unless asked, and 100 at most`, async (world) => {
    const ask = await by(world)
    equal((await readList(ask(`GET ${path}`), "data")).length, 50)
    ok((await readList(ask(`GET ${path}?limit=100`), "data")).length > 50)
    await refused(ask(`GET ${path}?limit=101`), 400, "BAD_REQUEST")
    await refused(ask(`GET ${path}?limit=0`), 400, "BAD_REQUEST")
  }),
  fact("", `${name}: the pages have everything once, and the last one's nextCursor is null`, async (world) => {
    const ask = await by(world)
    const ids = (await swept(ask, path, 17)).map((each) => JSON.stringify(each))
    const whole = (await swept(ask, path, 100)).map((each) => JSON.stringify(each))
    deepEqual(ids, whole)
    equal(new Set(ids).size, ids.length)
  }),
  fact("", `${name}: a cursor that was not given is refused`, async (world) => {
    await refused((await by(world))(`GET ${path}?cursor=made-up`), 400, "BAD_REQUEST")
  })
]

const ofOffsetList = ({ body, by, method, name, path }: (typeof offsetLists)[number]): ReadonlyArray<Fact> => [
  fact("", `${name}: limit is 50 and offset 0 unless asked`, async (world) => {
    const page = await answered((await by(world))(`${method} ${path}`, body))
    deepEqual([at(page, "pagination.limit"), at(page, "pagination.offset")], [50, 0])
  }),
  fact("", `${name}: limit is 200 at most, and neither 0 nor negative`, async (world) => {
    const ask = await by(world)
    equal(await readAt(ask(`${method} ${path}?limit=200`, body), "pagination.limit"), 200)
    for (const query of ["limit=201", "limit=0", "limit=-1", "limit=x", "offset=-1"])
      await refused(ask(`${method} ${path}?${query}`, body), 400, "BAD_REQUEST")
  }),
  fact("", `${name}: offset and limit are echoed, offset skips, and hasMore tells of more`, async (world) => {
    const ask = await by(world)
    const whole = await answered(ask(`${method} ${path}?limit=4`, body))
    const part = await answered(ask(`${method} ${path}?limit=2&offset=2`, body))
    deepEqual(listAt(part, "data"), listAt(whole, "data").slice(2))
    const total = numberAt(part, "pagination.total")
    deepEqual(at(part, "pagination"), { offset: 2, limit: 2, total, hasMore: total > 4 })
    const last = await answered(ask(`${method} ${path}?limit=2&offset=${total - 1}`, body))
    deepEqual([listAt(last, "data").length, at(last, "pagination.hasMore")], [1, false])
    const beyond = await answered(ask(`${method} ${path}?offset=${total}`, body))
    deepEqual([listAt(beyond, "data"), at(beyond, "pagination.hasMore")], [[], false])
  })
]

const priced = (amount: number) => ({ price: { amount, currency: "EUR" } })

/** A fact of a list that is swept while lines come, go and are repriced; ID is a product that nobody else offers. */
const whileRepriced = (list: string): Fact =>
  fact("", `${list}: while lines come, go and are repriced, none that stays is repeated or skipped`, async (world) => {
    const me = await world.seller()
    const productId = await unoffered(world)
    const line = (comment: string, amount: number) => ({
      ...card,
      productId,
      comment,
      customId: comment,
      listing: priced(amount)
    })
    const names = Array.from({ length: 60 }, (_, number) => `stays-${number}`)
    const staying = await world.stock(me, ...names.map((name, number) => line(name, 10 + number)))
    let number = 0
    const found = await swept(me.ask, list.replace("ID", String(productId)), 7, async () => {
      const [coming] = await world.stock(me, line(`comes-${++number}`, 8 * number))
      if (number % 2 === 0) await answered(me.ask(`DELETE /v1/inventory/${String(at(coming, "id"))}`, {}))
      // The cheapest becomes the most expensive, and the other way round.
      for (const [place, amount] of [
        [number, 500 - number],
        [60 - number, number]
      ] as const)
        await answered(me.ask(`PATCH /v1/inventory/${String(at(staying[place], "id"))}/listing`, priced(amount)))
    })
    const comments = all(found, "*.comment")
    equal(new Set(comments).size, comments.length)
    ok(names.every((name) => comments.includes(name)))
  })

/** Facts of every cursor list and every offset list. */
const cursorFacts: ReadonlyArray<Fact> = cursorLists.flatMap(ofCursorList)
const offsetFacts: ReadonlyArray<Fact> = offsetLists.flatMap(ofOffsetList)

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
    fact("", "Authorization: Bearer and the key is on every request", async ({ shop, keyless }) => {
      const headers = { authorization: `Bearer ${shop.key}` }
      await answered(keyless("GET /v1/account/me", undefined, headers))
      await refused(keyless("GET /v1/account/me"), 401)
    }),
    ...cursorFacts,
    fact("", "the list of an account without lines is an empty list with null as nextCursor", async ({ party }) => {
      for (const path of ["/v1/inventory", "/v1/listings", "/v1/sales", "/v1/purchases"])
        deepEqual(await answered((await party()).ask(`GET ${path}`)), { data: [], pagination: { nextCursor: null } })
    }),
    ...["/v1/inventory", "/v1/listings", "/v1/products/ID/listings"].map(whileRepriced),
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
