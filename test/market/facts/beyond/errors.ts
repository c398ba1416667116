import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, section, untried } from "../Fact.ts"
import { answered, askAs, readAt, refused, at, keysAt, textAt } from "../reading/ask.ts"
import { filled, integer, object } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"
import { pictures } from "../world/picture.ts"

/** An id that names nothing, its code and the key of its data. */
const unknown: ReadonlyArray<readonly [path: string, code: string, data: Readonly<Record<string, unknown>>]> = [
  ["games/none", "GAME_NOT_FOUND", { gameId: "none" }],
  ["games/none/expansions", "GAME_NOT_FOUND", { gameId: "none" }],
  ["expansions/99", "EXPANSION_NOT_FOUND", { expansionId: 99 }],
  ["products/99", "PRODUCT_NOT_FOUND", { productId: 99 }],
  ["products/99/prices", "PRODUCT_NOT_FOUND", { productId: 99 }],
  ["products/99/prices/history", "PRODUCT_NOT_FOUND", { productId: 99 }],
  ["products/99/sales", "PRODUCT_NOT_FOUND", { productId: 99 }],
  ["products/99/listings", "PRODUCT_NOT_FOUND", { productId: 99 }],
  ...["", "/catalog", "/expansions", "/prices"].map(
    (feed) => [`feeds/none${feed}`, "GAME_NOT_FOUND", { gameId: "none" }] as const
  )
]
const feeds = ["catalog", "expansions", "prices"]

const failures: ReadonlyArray<readonly [says: string, status: number, code: string, path: string]> = [
  ["500 is INTERNAL_SERVER_ERROR", 500, "INTERNAL_SERVER_ERROR", "/v1/games/emberfall"],
  ["503 is SERVICE_UNAVAILABLE", 503, "SERVICE_UNAVAILABLE", "/v1/games"]
]

const ofFailure = ([says, status, code, path]: (typeof failures)[number]): Fact =>
  fact("", `${says}, its data is {}, and its message points at the request`, async ({ limited }) => {
    const { ask } = await limited.trade.party()
    const answer = await ask(`GET ${path}`)
    deepEqual(await refused(answer, status, code), {})
    if (status === 500) ok(textAt(answer.json, "message").includes(answer.headers.get("x-request-id") ?? "?"))
    await answered(ask(`GET ${path}`))
  })

const price = { price: { amount: 10, currency: "EUR" } }

/** The codes of single operations, each with a request that draws it. */
const codes: ReadonlyArray<Fact> = [
  fact("400", "INVALID_COUNT: units of a line are split off, and nothing of them changes", async (world) => {
    const { me, path: line } = await world.withLine({ quantity: 3 })
    for (const body of [{ count: 1 }, { count: 1, quantity: { set: 2 }, condition: "LP" }])
      await refused(me.ask(`PATCH ${line}`, body), 400, "INVALID_COUNT")
  }),
  fact("400", "UNSUPPORTED_CONTENT_TYPE: a body that is not JSON by its header", async ({ ask }) => {
    const headers = { "content-type": "text/plain" }
    await refused(ask("POST /v1/products/search", "{}", headers), 400, "UNSUPPORTED_CONTENT_TYPE")
  }),
  fact("403", "SELLER_ACCOUNT_NOT_ACTIVE: a suspended seller cannot list", async (world) => {
    const { me, path: line } = await world.withLine({ quantity: 3 })
    await answered(world.control(`PATCH /sandbox/accounts/${me.id}`, { status: "suspended" }))
    await refused(me.ask(`POST ${line}/listing`, price), 403, "SELLER_ACCOUNT_NOT_ACTIVE")
  }),
  fact("404", "NOT_FOUND: data names the id", async ({ shop }) => {
    const data = await refused(shop.ask("GET /v1/inventory/none"), 404, "NOT_FOUND")
    ok(JSON.stringify(data).includes("none"))
  }),
  fact("404", "WALLET_NOT_FOUND: an account that does not sell has no balance", async ({ party }) => {
    await refused((await party()).ask("GET /v1/account/balance"), 404, "WALLET_NOT_FOUND")
  }),
  fact("409", "CONFLICT: a customId that another line has", async (world) => {
    const { me, path } = await world.withLine({ customId: "other" })
    await world.stock(me, { ...card, customId: "taken" })
    await refused(me.ask(`PATCH ${path}`, { customId: "taken" }), 409, "CONFLICT")
  }),
  fact("409", "INSUFFICIENT_QUANTITY: fewer units are there than are to be taken away", async (world) => {
    const { me, path: line } = await world.withLine({ quantity: 3 })
    const expected = { inventoryId: line.split("/").at(-1), available: 3, requested: 4 }
    for (const [request, body] of [
      [`PATCH ${line}`, { quantity: { adjust: -4 } }],
      [`PATCH ${line}`, { count: 4, condition: "LP" }],
      [`POST ${line}/listing`, { ...price, quantity: 4 }]
    ] as const)
      deepEqual(await refused(me.ask(request, body), 409, "INSUFFICIENT_QUANTITY"), expected)
  }),
  fact("409", "ALREADY_LISTED: a listed line is listed again", async (world) => {
    const { me, path } = await world.withLine({ listing: price })
    await refused(me.ask(`POST ${path}/listing`, price), 409, "ALREADY_LISTED")
  }),
  fact("409", "INVALID_STATUS: a completed order is not refunded", async ({ shop, byStatus }) => {
    const order = byStatus["completed"]?.orderNumber
    await refused(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1 }), 409, "INVALID_STATUS")
  }),
  fact("409", "REFUND_IN_PROGRESS: a second refund while the first one is on its way", async ({ ordered, shop }) => {
    const path = `POST /v1/sales/${await ordered("shipped")}/refunds`
    await answered(shop.ask(path, { amount: 1 }))
    await refused(shop.ask(path, { amount: 1 }), 409, "REFUND_IN_PROGRESS")
  }),
  fact("409", "AMOUNT_TOO_HIGH: data says what is left, maxAllowed", async ({ ordered, shop, saleOf }) => {
    const order = await ordered("shipped")
    const data = await refused(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1000 }), 409, "AMOUNT_TOO_HIGH")
    const whole =
      Number(at(await saleOf(order), "subtotal.amount")) + Number(at(await saleOf(order), "shippingAmount.amount"))
    ok(Number(at(data, "maxAllowed")) <= whole && Number(at(data, "maxAllowed")) > whole - 0.02)
  }),
  fact("409", "NOT_A_SELLER: an account that does not sell has no vacation", async ({ party }) => {
    const { ask } = await party()
    await refused(ask("POST /v1/account/vacation", { enabled: true }), 409, "NOT_A_SELLER")
    await refused(ask("GET /v1/account/vacation"), 409, "NOT_A_SELLER")
  }),
  fact("409", "INVALID_TRANSITION: data says from and to", async ({ control, seller, step, byStatus }) => {
    const me = await seller()
    await answered(control(`PATCH /sandbox/accounts/${me.id}`, { status: "banned" }))
    const data = await refused(me.ask("POST /v1/account/vacation", { enabled: true }), 409, "INVALID_TRANSITION")
    deepEqual(data, { from: "banned", to: "paused" })
    const order = byStatus["completed"]?.orderNumber ?? ""
    const moved = await refused(step(order, "shipped"), 409, "INVALID_TRANSITION")
    deepEqual(moved, { from: "completed", to: "shipped" })
  }),
  fact("409", "TRACKING_NUMBER_REQUIRED: a tracked parcel is sent without a number", async ({ ordered, shop }) => {
    const path = `POST /v1/sales/${await ordered("pending_shipment")}/mark-shipped`
    await refused(shop.ask(path, {}), 409, "TRACKING_NUMBER_REQUIRED")
  }),
  fact("413", "PAYLOAD_TOO_LARGE: data says maxBytes and receivedBytes", async (world) => {
    const { me, path } = await world.withLine()
    const form = pictures(new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]))
    const data = await refused(me.ask(`PUT ${path}/media`, form), 413, "PAYLOAD_TOO_LARGE")
    ok(Number(at(data, "receivedBytes")) > Number(at(data, "maxBytes")))
  }),
  fact("422", "CURRENCY_MISMATCH: a price that is not in the seller's currency", async (world) => {
    const { me, path } = await world.withLine()
    const dollars = { price: { amount: 10, currency: "USD" } }
    const data = await refused(me.ask(`POST ${path}/listing`, dollars), 422, "CURRENCY_MISMATCH")
    deepEqual(data, { provided: "USD", expected: "EUR" })
  }),
  fact("422", "LOCATION_NOT_FOUND: a location that was not made", async (world) => {
    const { me, path } = await world.withLine()
    await refused(me.ask(`PATCH ${path}`, { location: "none" }), 422, "LOCATION_NOT_FOUND")
  }),
  fact("422", "TAG_NOT_FOUND: a tag that was not made", async (world) => {
    const { me, path } = await world.withLine()
    await refused(me.ask(`PATCH ${path}`, { tags: { add: ["none"] } }), 422, "TAG_NOT_FOUND")
  }),
  fact("422", "UNPROCESSABLE_FILE: a preset's file has other columns than the preset", async ({ seller, upload }) => {
    const file = "productId,finish\n10007,Standard\n"
    await refused(upload(await seller(), file, "stock.csv", {}, "/sourceEur"), 422, "UNPROCESSABLE_FILE")
  }),
  fact("422", "METADATA_LIMIT_EXCEEDED: a fifty-first key", async ({ ordered, shop }) => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`k${number}`, "v"]))
    const path = `PATCH /v1/sales/${await ordered("pending_shipment")}/metadata`
    await refused(shop.ask(path, { metadata }), 422, "METADATA_LIMIT_EXCEEDED")
  }),
  fact("422", "TRACKING_REGISTRATION_FAILED: a number that another parcel has", async ({ ordered, ship, shop }) => {
    const again = { trackingNumber: "THE-SAME-1" }
    await answered(ship(shop, await ordered("pending_shipment"), again))
    await refused(ship(shop, await ordered("pending_shipment"), again), 422, "TRACKING_REGISTRATION_FAILED")
  })
]

export const errors = section("beyond", "2. Errors", [
  fact("", "every error has code, status, message and data, and status repeats the answer's", async (world) => {
    const { ask, url, talk, party, buyer, keyless } = world
    const collector = await party()
    const answers = [
      await ask("GET /v1/inventory?limit=0"),
      await keyless("GET /v1/games"),
      await askAs(url, "unknown", talk)("GET /v1/none"),
      await ask("GET /v1/none"),
      await ask("GET /v1/products/99"),
      await collector.ask("GET /v1/account/vacation"),
      await collector.ask("GET /v1/account/balance"),
      await collector.ask("POST /v1/account/vacation", { enabled: true }),
      await ask("POST /v1/products/search", "{"),
      await ask("POST /v1/products/search", "x=1", { "content-type": "application/x-www-form-urlencoded" }),
      await buyer.ask("GET /v1/sales/none")
    ]
    for (const { asked, json, status } of answers) {
      deepEqual(keysAt(json, ""), ["code", "data", "message", "status"], asked)
      ok(/^[A-Z_]+$/.test(textAt(json, "code")) && filled.is(at(json, "message")) && object.is(at(json, "data")))
      equal(at(json, "status"), status)
      ok(status >= 400)
    }
  }),
  fact("", "400 is BAD_REQUEST, and says which field", async ({ ask }) => {
    const data = await refused(ask("POST /v1/products/search", { name: "" }), 400, "BAD_REQUEST")
    equal(at(data, "field"), "name")
  }),
  fact("", "403 API_ACCESS_DISABLED is of an account without access", async ({ party, control }) => {
    const me = await party()
    await answered(control(`PATCH /sandbox/accounts/${me.id}`, { apiAccess: false }))
    deepEqual(await refused(me.ask("GET /v1/games"), 403, "API_ACCESS_DISABLED"), {})
  }),
  fact("", "429 is TOO_MANY_REQUESTS with bucket, limit, and the header's retryAfter (--rate 60)", async (world) => {
    const { limited } = world
    const { ask } = await limited.trade.party()
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask("GET /v1/expansions/301")))
    const refusal = answers.find(({ status }) => status === 429)
    ok(refusal !== undefined, "none of 70 requests at once was refused")
    const data = await refused(refusal, 429, "TOO_MANY_REQUESTS")
    deepEqual([at(data, "bucket"), at(data, "limit")], ["global", 60])
    ok(integer.is(at(data, "retryAfter")))
    equal(refusal.headers.get("retry-after"), String(at(data, "retryAfter")))
  }),
  ...failures.map(ofFailure),
  fact("", "502 is a refund that the payment service fails: none is made, and it can be sent again", async (world) => {
    const { limited } = world
    const { buy, offer, party, seller } = limited.trade
    const [me, to] = [await seller(), await party()]
    const order = await buy(to, [await offer(me, 10)])
    const refund = () => me.ask(`POST /v1/sales/${order}/refunds`, { amount: 1 })
    await refused(refund(), 502)
    equal(await readAt(me.ask(`GET /v1/sales/${order}`), "refunded.amount"), 0)
    equal(await readAt(refund(), "refunded.amount"), 1)
  }),
  ...unknown.flatMap(([path, code, data]) => [
    fact("", `GET /v1/${path} is ${code}, with the id`, async ({ ask }) => {
      deepEqual(await refused(ask(`GET /v1/${path}`), 404, code), data)
    }),
    fact("", `GET /v1/${path} is ${code} under a 500 in the live service's words`, async ({ limited }) => {
      const { control, party } = limited.trade
      await answered(control("POST /sandbox/dialect", { dialect: "live" }))
      const { json, status } = await (await party()).ask(`GET /v1/${path}`)
      await answered(control("POST /sandbox/dialect", { dialect: "spec" }))
      deepEqual([status, at(json, "code"), at(json, "status"), at(json, "data")], [500, code, 500, data])
    })
  ]),
  fact("", "a feed that was never built is FEED_NOT_GENERATED under a 500, with the game's id", async ({ limited }) => {
    const { control, party } = limited.trade
    const { ask } = await party()
    await answered(control("POST /sandbox/feeds", { missing: ["tidewrack"] }))
    for (const feed of feeds)
      deepEqual(await refused(ask(`GET /v1/feeds/tidewrack/${feed}`), 500, "FEED_NOT_GENERATED"), {
        gameId: "tidewrack"
      })
    deepEqual(await answered(ask("GET /v1/feeds/tidewrack")), { catalog: null, expansions: null, prices: null })
    await answered(control("POST /sandbox/feeds", { missing: [] }))
    await answered(ask("GET /v1/feeds/tidewrack/prices"))
  }),
  ...codes,
  fact("", "a conflicting write that is repeated is answered the same way", async ({ withLine }) => {
    const { me, path } = await withLine()
    const list = () => me.ask(`POST ${path}/listing`, price)
    await answered(list())
    const [first, second] = [await list(), await list()]
    deepEqual([first.status, second.status, second.text], [409, 409, first.text])
  }),
  untried("", "408, 409, 429 and 5xx are tried twice more, with growing waits", "it is a fact about a client")
])
