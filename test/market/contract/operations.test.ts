import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { MarketplaceApi } from "../../../src/market/contract/MarketplaceApi.ts"

/** Method, path and scope of every operation, as the two documents of the marketplace list them. */
const listed = `
GET /v1/account/balance financial:read
GET /v1/account/me account:read
GET /v1/account/vacation account:read
POST /v1/account/vacation account:write
DELETE /v1/cart cart:write
GET /v1/cart cart:read
POST /v1/cart/items cart:write
DELETE /v1/cart/items/{listingId} cart:write
PATCH /v1/cart/items/{listingId} cart:write
GET /v1/expansions/{expansionId}
GET /v1/feeds/{gameId}
GET /v1/feeds/{gameId}/catalog
GET /v1/feeds/{gameId}/changelog
GET /v1/feeds/{gameId}/expansions
GET /v1/feeds/{gameId}/prices
GET /v1/games
GET /v1/games/{gameId}
GET /v1/games/{gameId}/expansions
GET /v1/inventory inventory:read
POST /v1/inventory inventory:write
POST /v1/inventory/bulk/export inventory:read
POST /v1/inventory/bulk/import inventory:write
POST /v1/inventory/bulk/import/{preset} inventory:write
GET /v1/inventory/bulk/jobs/{jobId} inventory:read
POST /v1/inventory/bulk/update inventory:write
GET /v1/inventory/locations inventory:read
POST /v1/inventory/locations inventory:write
DELETE /v1/inventory/locations/{name} inventory:write
PATCH /v1/inventory/locations/{name} inventory:write
POST /v1/inventory/search inventory:read
GET /v1/inventory/tags inventory:read
POST /v1/inventory/tags inventory:write
DELETE /v1/inventory/tags/{name} inventory:write
PATCH /v1/inventory/tags/{name} inventory:write
DELETE /v1/inventory/{inventoryId} inventory:write
GET /v1/inventory/{inventoryId} inventory:read
PATCH /v1/inventory/{inventoryId} inventory:write
DELETE /v1/inventory/{inventoryId}/listing listings:write
PATCH /v1/inventory/{inventoryId}/listing listings:write
POST /v1/inventory/{inventoryId}/listing listings:write
PUT /v1/inventory/{inventoryId}/media inventory:write
GET /v1/listings listings:read
GET /v1/products
POST /v1/products/resolve
POST /v1/products/search
GET /v1/products/{productId}
GET /v1/products/{productId}/listings
GET /v1/products/{productId}/prices
GET /v1/products/{productId}/prices/history
GET /v1/products/{productId}/sales
GET /v1/purchases purchases:read
GET /v1/purchases/{orderNumber} purchases:read
GET /v1/sales sales:read
GET /v1/sales/{orderNumber} sales:read
POST /v1/sales/{orderNumber}/cancel sales:write
POST /v1/sales/{orderNumber}/mark-shipped sales:write
PATCH /v1/sales/{orderNumber}/metadata sales:write
POST /v1/sales/{orderNumber}/refunds sales:write
`
  .trim()
  .split("\n")

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
      const scope = /Needs the scope (\S+)\./.exec(operation.description ?? "")?.[1] ?? ""
      return `${method} ${path} ${scope}`.trim()
    })
    assert.deepStrictEqual(found.sort(), [...listed].sort())
  })

  it("answers each of them with at least the seven variants of the spec", () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      assert.isTrue(statuses.includes("200") || statuses.includes("202"), `${method} ${path}`)
      assert.includeMembers(statuses, ["400", "401", "403", "429", "500", "503"], `${method} ${path}`)
    }
  })

  it("makes an OpenAPI document that is plain JSON", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(document)), document)
  })
})
