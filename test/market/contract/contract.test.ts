import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import * as fc from "fast-check"
import { MarketplaceApi } from "../../../src/market/contract/MarketplaceApi.ts"
import { Money } from "../../../src/market/contract/Money.ts"
import { toCents, toMoney } from "../../../src/market/state/State.ts"

/** Every operation by its scope, as the two documents of the marketplace list them. */
const listed = `
financial:read: GET /v1/account/balance
account:read: GET /v1/account/me, GET /v1/account/vacation
account:write: POST /v1/account/vacation
cart:write: DELETE /v1/cart, POST /v1/cart/items, DELETE /v1/cart/items/{listingId},
  PATCH /v1/cart/items/{listingId}
cart:read: GET /v1/cart
none: GET /v1/expansions/{expansionId}, GET /v1/feeds/{gameId}, GET /v1/feeds/{gameId}/catalog,
  GET /v1/feeds/{gameId}/changelog, GET /v1/feeds/{gameId}/expansions, GET /v1/feeds/{gameId}/prices,
  GET /v1/games, GET /v1/games/{gameId}, GET /v1/games/{gameId}/expansions, GET /v1/products,
  POST /v1/products/resolve, POST /v1/products/search, GET /v1/products/{productId},
  GET /v1/products/{productId}/listings, GET /v1/products/{productId}/prices,
  GET /v1/products/{productId}/prices/history, GET /v1/products/{productId}/sales
inventory:read: GET /v1/inventory, POST /v1/inventory/bulk/export, GET /v1/inventory/bulk/jobs/{jobId},
  GET /v1/inventory/locations, POST /v1/inventory/search, GET /v1/inventory/tags,
  GET /v1/inventory/{inventoryId}
inventory:write: POST /v1/inventory, POST /v1/inventory/bulk/import, POST /v1/inventory/bulk/import/{preset},
  POST /v1/inventory/bulk/update, POST /v1/inventory/locations, DELETE /v1/inventory/locations/{name},
  PATCH /v1/inventory/locations/{name}, POST /v1/inventory/tags, DELETE /v1/inventory/tags/{name},
  PATCH /v1/inventory/tags/{name}, DELETE /v1/inventory/{inventoryId},
  PATCH /v1/inventory/{inventoryId}, PUT /v1/inventory/{inventoryId}/media
listings:write: DELETE /v1/inventory/{inventoryId}/listing, PATCH /v1/inventory/{inventoryId}/listing,
  POST /v1/inventory/{inventoryId}/listing
listings:read: GET /v1/listings
purchases:read: GET /v1/purchases, GET /v1/purchases/{orderNumber}
sales:read: GET /v1/sales, GET /v1/sales/{orderNumber}
sales:write: POST /v1/sales/{orderNumber}/cancel, POST /v1/sales/{orderNumber}/mark-shipped,
  PATCH /v1/sales/{orderNumber}/metadata, POST /v1/sales/{orderNumber}/refunds
`

describe("the contract", () => {
  const document = OpenApi.fromApi(MarketplaceApi)
  const methods = ["get", "post", "put", "patch", "delete"] as const
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    })
  )

  it("has every operation of the marketplace with its scope", () => {
    const found = operations.map(({ method, path, operation }) => {
      const scope = /Needs the scope (\S+)\./.exec(operation.description ?? "")?.[1] ?? "none"
      return `${scope} ${method} ${path}`
    })
    const expected = [...listed.matchAll(/^(\S+): ((?:.+,\n)*.+)$/gm)].flatMap(([, scope, all = ""]) =>
      all.split(/,\s+/).map((operation) => `${scope} ${operation}`)
    )
    assert.deepEqual(found.toSorted(), expected.toSorted())
  })

  it("answers each of them with at least the seven variants of the spec", () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      assert.isTrue(statuses.includes("200") || statuses.includes("202"), `${method} ${path}`)
      assert.includeMembers(statuses, ["400", "401", "403", "429", "500", "503"], `${method} ${path}`)
    }
  })

  it("has money that comes back from cents as it was written", () => {
    const isMoney = Schema.is(Money)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000_000_000 }), (figure) => {
        const money = toMoney(figure, "EUR")
        return isMoney(money) && toCents(money.amount) === figure && money.amount === Number(`${figure}e-2`)
      })
    )
  })
})
