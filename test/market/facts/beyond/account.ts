import assert from "node:assert/strict"
import { fact, type Section, untried } from "../Fact.ts"
import { answered, refused } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import {
  country,
  currency,
  dateTime,
  filled,
  flag,
  listOf,
  money,
  nullOr,
  object,
  oneOf,
  text
} from "../reading/kinds.ts"
import { at } from "../reading/paths.ts"

const me = fieldsOf("an account", async ({ shop, buyer }) => [
  await answered(shop.ask("GET /v1/account/me")),
  await answered(buyer.ask("GET /v1/account/me"))
])
const balance = fieldsOf("a balance", async ({ shop }) => [await answered(shop.ask("GET /v1/account/balance"))])

export const account: Section = {
  document: "beyond",
  heading: "9. Account",
  facts: [
    me("GET /v1/account/me", "id", filled),
    me("GET /v1/account/me", "username", text),
    me("GET /v1/account/me", "email", filled),
    me("GET /v1/account/me", "imageUrl", text),
    me("GET /v1/account/me", "createdAt", dateTime),
    me("GET /v1/account/me", "seller", nullOr(object)),
    me("GET /v1/account/me", "scopes", listOf(filled)),
    me("seller", "seller.type", oneOf("pro", "individual")),
    me("seller", "seller.country", country),
    me("seller", "seller.currency", currency),
    me("seller", "seller.available", flag),
    me("seller", "seller.status", oneOf("staged", "live")),
    untried("seller", "a flag for managed shipping", "no document has its name"),
    fact("GET /v1/account/me", "scopes are those of the key that asks", async ({ keyFor, shop }) => {
      const { ask } = await keyFor(shop, "account:read", "sales:read")
      assert.deepEqual(at(await answered(ask("GET /v1/account/me")), "scopes"), ["account:read", "sales:read"])
    }),
    balance("GET /v1/account/balance", "available", money),
    balance("GET /v1/account/balance", "pending", money),
    balance("GET /v1/account/balance", "updatedAt", dateTime),
    fact("GET, POST /v1/account/vacation", "it is on, with since, and off again, with null", async ({ seller }) => {
      const { ask } = await seller()
      assert.deepEqual(await answered(ask("GET /v1/account/vacation")), {
        enabled: false,
        status: "active",
        since: null
      })
      const on = await answered(ask("POST /v1/account/vacation", { enabled: true, reason: "A tournament" }))
      assert.deepEqual([at(on, "enabled"), at(on, "status"), dateTime.is(at(on, "since"))], [true, "paused", true])
      assert.deepEqual(await answered(ask("GET /v1/account/vacation")), on)
      const off = await answered(ask("POST /v1/account/vacation", { enabled: false }))
      assert.deepEqual(off, { enabled: false, status: "active", since: null })
    }),
    ...["suspended", "banned"].map((status) =>
      fact("GET, POST /v1/account/vacation", `${status} is a status`, async ({ seller, control }) => {
        const me = await seller()
        await answered(control(`PATCH /sandbox/accounts/${me.id}`, { status }))
        assert.equal(at(await answered(me.ask("GET /v1/account/vacation")), "status"), status)
      })
    ),
    fact(
      "GET, POST /v1/account/vacation",
      "a seller on vacation sells nothing, and has no listing meanwhile",
      async ({ seller, offer, ask, buyer, control }) => {
        const me = await seller()
        const { listingId } = await offer(me, 2, { condition: "MP", language: "de" })
        const ids = async () =>
          (await ask("GET /v1/products/10007/listings?limit=100&condition=MP&language=de&finish=Standard")).text
        assert.ok((await ids()).includes(listingId))
        await answered(me.ask("POST /v1/account/vacation", { enabled: true }))
        assert.ok(!(await ids()).includes(listingId))
        const { status } = await control("POST /sandbox/checkout", {
          buyerId: buyer.id,
          items: [{ listingId, quantity: 1 }]
        })
        assert.ok(status >= 400)
        await refused(me.ask("POST /v1/account/vacation", {}), 400)
      }
    )
  ]
}
