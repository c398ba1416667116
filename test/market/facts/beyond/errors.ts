import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, section, untried } from "../Fact.ts"
import { answered, askAs, readAt, refused, at, keysAt, textAt } from "../reading/ask.ts"
import { filled, integer, object } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"
import { codes } from "./codes.ts"

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

export const errors = section("beyond", "2. Errors", [
  fact("", "every error has code, status, message and data, and status repeats the answer's", async (world) => {
    const { ask, url, talk, party, buyer } = world
    const collector = await party()
    const answers = [
      await ask("GET /v1/inventory?limit=0"),
      await askAs(url, null, talk)("GET /v1/games"),
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
  fact("", "a conflicting write that is repeated is answered the same way", async ({ seller, stock }) => {
    const me = await seller()
    const [line] = await stock(me, card)
    const path = `POST /v1/inventory/${textAt(line, "id")}/listing`
    const price = { price: { amount: 1, currency: "EUR" } }
    await answered(me.ask(path, price))
    const answers = [await me.ask(path, price), await me.ask(path, price)]
    deepEqual(
      answers.map(({ status }) => status),
      [409, 409]
    )
    equal(answers[0]?.text, answers[1]?.text)
  }),
  untried("", "408, 409, 429 and 5xx are tried twice more, with growing waits", "it is a fact about a client")
])
