import { deepEqual, ok } from "node:assert/strict"
import { fact, section, untried } from "../Fact.ts"
import { answered, refused, at } from "../reading/ask.ts"

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
