import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, section, untried } from "../Fact.ts"
import { answered, readAt, refused, at } from "../reading/ask.ts"
import * as kind from "../reading/kinds.ts"

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
