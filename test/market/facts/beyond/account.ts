import * as kind from "../reading/kinds.ts"
import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, section, untried } from "../Fact.ts"
import { answered, readAt, refused, at, type Answer, fetched, readText } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

const vacation = "GET, POST /v1/account/vacation"

const me = fieldsOf("an account", async ({ shop, buyer }) => [
  await answered(shop.ask("GET /v1/account/me")),
  await answered(buyer.ask("GET /v1/account/me"))
])
const balance = fieldsOf("a balance", async ({ shop }) => [await answered(shop.ask("GET /v1/account/balance"))])

export const account = section("beyond", "9. Account", [
  ...me(kind.filled, "id email", "GET /v1/account/me"),
  ...me(kind.text, "username imageUrl", "GET /v1/account/me"),
  ...me(kind.dateTime, "createdAt", "GET /v1/account/me"),
  ...me(kind.nullOr(kind.object), "seller", "GET /v1/account/me"),
  ...me(kind.listOf(kind.filled), "scopes", "GET /v1/account/me"),
  ...me(kind.oneOf("pro", "individual"), "seller.type"),
  ...me(kind.country, "seller.country"),
  ...me(kind.currency, "seller.currency"),
  ...me(kind.flag, "seller.available"),
  ...me(kind.oneOf("staged", "live"), "seller.status"),
  untried("seller", "a flag for managed shipping", "no document has its name"),
  fact("GET /v1/account/me", "scopes are those of the key that asks", async ({ keyFor, shop }) => {
    const { ask } = await keyFor(shop, "account:read", "sales:read")
    deepEqual(await readAt(ask("GET /v1/account/me"), "scopes"), ["account:read", "sales:read"])
  }),
  ...balance(kind.money, "available pending", "GET /v1/account/balance"),
  ...balance(kind.dateTime, "updatedAt", "GET /v1/account/balance"),
  fact(vacation, "it is on, with since, and off again, with null", async ({ seller }) => {
    const { ask } = await seller()
    deepEqual(await answered(ask("GET /v1/account/vacation")), { enabled: false, status: "active", since: null })
    const on = await answered(ask("POST /v1/account/vacation", { enabled: true, reason: "A tournament" }))
    deepEqual([at(on, "enabled"), at(on, "status"), kind.dateTime.is(at(on, "since"))], [true, "paused", true])
    deepEqual(await answered(ask("GET /v1/account/vacation")), on)
    const off = await answered(ask("POST /v1/account/vacation", { enabled: false }))
    deepEqual(off, { enabled: false, status: "active", since: null })
  }),
  ...["suspended", "banned"].map((status) =>
    fact(vacation, `${status} is a status`, async ({ seller, control }) => {
      const me = await seller()
      await answered(control(`PATCH /sandbox/accounts/${me.id}`, { status }))
      equal(await readAt(me.ask("GET /v1/account/vacation"), "status"), status)
    })
  ),
  fact(vacation, "a seller on vacation sells nothing, and has no listing meanwhile", async (world) => {
    const { seller, offer, ask, buyer, control } = world
    const me = await seller()
    const { listingId } = await offer(me, 2, { condition: "MP", language: "de" })
    const ids = async () =>
      (await ask("GET /v1/products/10007/listings?limit=100&condition=MP&language=de&finish=Standard")).text
    ok((await ids()).includes(listingId))
    await answered(me.ask("POST /v1/account/vacation", { enabled: true }))
    ok(!(await ids()).includes(listingId))
    const { status } = await control("POST /sandbox/checkout", {
      buyerId: buyer.id,
      items: [{ listingId, quantity: 1 }]
    })
    ok(status >= 400)
    await refused(me.ask("POST /v1/account/vacation", {}), 400)
  })
])

/** A scope and requests that need it. */
const needs: ReadonlyArray<readonly [scope: string, request: string, body?: unknown]> = [
  ["account:read", "GET /v1/account/vacation"],
  ["account:write", "POST /v1/account/vacation", { enabled: false }],
  ["inventory:read", "POST /v1/inventory/bulk/export", { format: "json" }],
  ["inventory:read", "POST /v1/inventory/search", {}],
  ["inventory:read", "GET /v1/inventory/tags"],
  ["inventory:write", "POST /v1/inventory/tags", { name: "x" }],
  ["inventory:write", "POST /v1/inventory/locations", { name: "x" }],
  ["inventory:write", "POST /v1/inventory/bulk/update", { items: [{ inventoryId: "none", comment: "x" }] }],
  ["listings:write", "POST /v1/inventory/none/listing", { price: { amount: 1, currency: "EUR" } }],
  ["listings:write", "PATCH /v1/inventory/none/listing", { price: { amount: 1, currency: "EUR" } }],
  ["sales:write", "POST /v1/sales/none/mark-shipped", { trackingNumber: "12345" }],
  ["sales:write", "POST /v1/sales/none/cancel", { reason: "seller_other", reasonText: "Ten letters" }],
  ["cart:read", "GET /v1/cart"],
  ["cart:write", "DELETE /v1/cart", {}],
  ["cart:write", "PATCH /v1/cart/items/none", { quantity: 1 }]
]
const open: ReadonlyArray<readonly [request: string, body?: unknown]> = [
  ["GET /v1/games"],
  ["GET /v1/expansions/301"],
  ["GET /v1/products/10007"],
  ["GET /v1/products/10007/listings"],
  ["GET /v1/products/10007/prices"],
  ["GET /v1/products/10007/prices/history"],
  ["GET /v1/products/10007/sales"],
  ["POST /v1/products/resolve", { marketplace: "sourceEur", ids: [1] }],
  ["GET /v1/feeds/emberfall/catalog"],
  ["GET /v1/feeds/emberfall/changelog"]
]

export const scopes = section("beyond", "4. Scopes", [
  ...open.map(([request, body]) =>
    fact("none", `${request} needs no scope`, async ({ buyer, keyFor }) => {
      await answered((await keyFor(buyer)).ask(request, body))
    })
  ),
  ...needs.map(([scope, request, body]) =>
    fact(scope, `${request} needs ${scope}, and nothing else`, async ({ seller, keyFor }) => {
      const me = await seller()
      const data = await refused((await keyFor(me)).ask(request, body), 403, "FORBIDDEN")
      deepEqual(at(data, "required"), [scope])
      const { status } = await (await keyFor(me, scope)).ask(request, body)
      ok(status < 300 || status === 404, String(status))
    })
  ),
  untried("lists:*, offers:*", "what they grant", "outside the specification"),
  untried("products:read, pricing:read, marketplace:read", "they existed in July", "they were gone by October"),
  untried("", "disputes and messaging have no endpoints", "it is a fact about what was never seen")
])

const hourly: ReadonlyArray<readonly [bucket: string, limit: number, path: string]> = [
  ["product-sales", 60, "/v1/products/10007/sales"],
  ["pricing-history", 120, "/v1/products/10007/prices/history"],
  ["product-listings", 120, "/v1/products/10046/listings"],
  ["pricing-snapshot", 600, "/v1/products/10046/prices"]
]

/** Asks 50 a minute until a bucket is empty; answers how many were served, and the refusal. */
const drained = async ({ limited }: World, request: string, most: number) => {
  const { ask } = await limited.trade.party()
  let served = 0
  while (served <= most) {
    const answers: ReadonlyArray<Answer> = await Promise.all(Array.from({ length: 50 }, () => ask(request)))
    const refusal = answers.find(({ status }) => status === 429)
    served += answers.filter(({ status }) => status === 200).length
    if (refusal !== undefined) return { served, data: at(refusal.json, "data"), ask }
    await limited.trade.wait(60)
  }
  return { served, data: undefined, ask }
}

export const rates = section("beyond", "3. Rate limits", [
  fact("global", "60 a minute, of an account and not of a key (started with --rate 60)", async ({ limited }) => {
    const { keyFor, party } = limited.trade
    const me = await party()
    const second = await keyFor(me, "*")
    const left = async ({ ask }: { ask: typeof me.ask }) =>
      (await ask("GET /v1/account/me")).headers.get("x-ratelimit-remaining")
    deepEqual([await left(me), await left(second), await left(await party())], ["59", "58", "59"])
    const { headers } = await me.ask("GET /v1/account/me")
    equal(headers.get("x-ratelimit-limit"), "60")
  }),
  ...hourly.map(([bucket, limit, path]) =>
    fact(bucket, `${bucket}: ${limit} an hour (started with --rate 60)`, async (world) => {
      const { data, served } = await drained(world, `GET ${path}`, limit * 2)
      deepEqual([at(data, "bucket"), at(data, "limit")], [bucket, limit])
      // Meanwhile some came back, evenly.
      ok(served >= limit && served <= limit * 1.5, `${served} were served`)
    })
  ),
  fact("inventory-export", "1 in 10 minutes (started with --rate 60)", async ({ limited }) => {
    const { seller, wait } = limited.trade
    const { ask } = await seller()
    const start = () => ask("POST /v1/inventory/bulk/export", { format: "json" })
    await answered(start(), 202)
    const second = await start()
    deepEqual(
      [second.status, at(second.json, "data.bucket"), at(second.json, "data.limit")],
      [429, "inventory-export", 1]
    )
    await wait(600)
    await answered(start(), 202)
  }),
  untried("catalogue-search", "its own bucket", "no document has its number"),
  untried("inventory-search", "its own bucket", "no document has its number"),
  fact("", "feed files count against no bucket", async ({ limited }) => {
    const { ask } = await limited.trade.party()
    const link = await readText(ask("GET /v1/feeds/emberfall/expansions"), "url")
    for (let times = 0; times < 70; times++) equal((await fetched(link)).status, 200)
    ok(Number((await ask("GET /v1/games/tidewrack")).headers.get("x-ratelimit-remaining")) >= 58)
  })
])
