import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { checkAccounts } from "../../../src/market/filling/AccountsFile.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { clientOf, ask, sampleFolder, Served } from "../Served.ts"
import { suite, values } from "../../support/sandbox.ts"
import { effect } from "../../support/suite.ts"

const card = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const price = { amount: 4.5, currency: "EUR" } as const
const ann = {
  username: "ann",
  country: "FR",
  seller: { type: "pro", currency: "EUR" },
  keys: [{ key: "ann-sells" }, { key: "ann-reads", scopes: ["inventory:read"] }],
  shipping: [{ country: "DE", amount: 1.1, service: "untracked" }],
  stock: [{ ...card, location: "Shelf", tags: ["rare"], customId: "A-1", listing: { price } }]
}
const accounts = { source: "The accounts", accounts: [ann, { username: "ben", country: "DE" }] }

suite(Served.layer({ accounts: accounts as never }))("a market of named accounts", (it) => {
  it("has their keys and their stock, with labels, and what shipping costs", function* () {
    const { data } = yield* (yield* clientOf("ann-reads")).inventory.lines({ query: {} })
    assert.strictEqual(data.length, 1)
    assert.deepInclude(data[0], { ...card, customId: "A-1", location: "Shelf", tags: ["rare"] })
    assert.deepInclude(data[0]?.listing, { price })
    assert.strictEqual((yield* ask("/v1/sales", { key: "ann-reads" })).status, 403)
    assert.strictEqual((yield* ask("/v1/sales", { key: "ann-sells" })).status, 200)
    const { productListings } = yield* clientOf("cl_sandbox_ben")
    const listings = yield* productListings.productListings({
      params: { productId: "10007" },
      query: { deliveryCountry: "DE" }
    })
    const annListings = listings.data.filter(({ seller }) => seller.username === "ann")
    assert.deepEqual(values(annListings, "seller.shipping"), [{ amount: 1.1, currency: "EUR" }])
  })

  it("begins with the first of them that sells and the first that buys", function* () {
    const { buyer, listingId, seller } = yield* (yield* Served).traders
    assert.deepInclude(seller, { username: "ann", key: "ann-sells", scopes: ["*"] })
    assert.deepInclude(buyer, { username: "ben", key: "cl_sandbox_ben" })
    assert.match(listingId ?? "", /^lst_/)
  })
})

/** A change of the good file, and what is said of it. */
const faults: ReadonlyArray<readonly [value: unknown, message: RegExp]> = [
  [[], /cannot be used: Expected object/],
  [{ accounts: [] }, / at accounts\.0: /],
  [{ accounts: [{ ...ann, username: "" }] }, / at accounts\.0\.username: /],
  [
    { accounts: [ann, { username: "ben", seller: { type: "shop", currency: "EUR" } }] },
    / at accounts\.1\.seller\.type: /
  ],
  [{ accounts: [{ ...ann, colour: "red" }] }, / at accounts\.0\.colour: there is no such field here/],
  [{ accounts: [{ ...ann, keys: [{ key: "x", scopes: ["sale:read"] }] }] }, / at accounts\.0\.keys\.0\.scopes\.0: /],
  [{ accounts: [{ ...ann, stock: [{ ...card, quantity: "3" }] }] }, / at accounts\.0\.stock\.0\.quantity: /],
  [{ accounts: [ann, { ...ann, keys: [] }] }, / at accounts\.1\.keys\.0: /],
  [{ accounts: [ann, { username: "ann" }] }, / at accounts\.1\.username: ann is taken/],
  [
    { accounts: [ann, { username: "ben", keys: [{ key: "ann-sells" }] }] },
    / at accounts\.1\.keys\.0\.key: another account has it/
  ],
  [
    { accounts: [{ ...ann, stock: [{ ...card, productId: 1 }] }] },
    / at accounts\.0\.stock\.0: PRODUCT_NOT_FOUND \{"productId":1\}/
  ],
  [
    { accounts: [{ ...ann, stock: [{ ...card, listing: { price: { amount: 1, currency: "USD" } } }] }] },
    / at accounts\.0\.stock: /
  ],
  [
    { accounts: [{ ...ann, shipping: [{ country: "AQ", amount: 1, service: "tracked" }] }] },
    / at accounts\.0\.shipping: /
  ]
]

describe("an accounts file", () => {
  for (const [value, message] of faults) {
    effect(`is refused with its place${message.source}`, function* () {
      const fault = yield* Effect.flip(
        Effect.flatMap(checkAccounts("The accounts file a.json", value), (named) =>
          serveSandbox({ catalogue: sampleFolder, accounts: named })
        )
      )
      assert.match(fault.message, /^The accounts file a\.json cannot be used/)
      assert.match(fault.message, message)
    })
  }
})
