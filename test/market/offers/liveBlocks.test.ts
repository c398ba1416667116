import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { buy, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { ask, control, search, Served } from "../Served.ts"
import { checkProduct, type Priced, productOf, shownBlocks } from "./Counted.ts"
import { suite } from "../../support/sandbox.ts"
import { rounds } from "../../tried.ts"

/** A card of Emberfall, which has a live block under Foil. */
const listed = 10_007

const pageWith = (productId: number) =>
  Effect.map(search({ gameFilters: { game: "emberfall" } }, "?limit=200"), ({ json }) => {
    const found = (json.data as unknown as ReadonlyArray<Priced>).find(({ id }) => id === productId)
    return found === undefined ? undefined : shownBlocks(found)
  })
const bare = { listings: { language: ["en", "de", "fr", "ja"] }, productIds: [listed] }

suite(Served.layer({ livePrices: "live" }))("live blocks", (it) => {
  it("are those of the catalogue as long as nothing is sold, and its listings come to them", function* () {
    const { Foil } = (yield* productOf(listed)).pricesByFinish ?? {}
    assert.deepInclude(Foil?.marketplace, {
      // 6.05 USD; in Europe, the lowest price is 5.60.
      low: { amount: 5.5, currency: "EUR" },
      listingCount: 15,
      availableQuantity: 30
    })
    yield* checkProduct(listed)
  })

  it("move with a sale, in pages that were read before, prices, availability and the prices feed", function* () {
    const buyer = yield* makeParty("buyer", { country: "DE" })
    const before = yield* pageWith(listed)
    assert.deepEqual(before, yield* checkProduct(listed))
    const [cheapest] = yield* listingsOf(buyer, listed, { region: "eu" })
    yield* buy(buyer, [{ listingId: cheapest!.listingId, quantity: cheapest!.quantity }])
    const after = yield* checkProduct(listed)
    assert.notDeepEqual(after, before)
    assert.deepEqual(yield* pageWith(listed), after)
    const [found] = (yield* search(bare)).json.data as unknown as ReadonlyArray<{ availability: object }>
    assert.deepInclude(found?.availability, { inStock: true, listingCount: 14 })
    const { json: feed } = yield* ask("/v1/feeds/emberfall/prices")
    const bytes = yield* Effect.promise(async () =>
      (await fetch((feed as unknown as { url: string }).url)).arrayBuffer()
    )
    const lines = gunzipSync(Buffer.from(bytes)).toString().trimEnd().split("\n")
    const line = lines.map((text) => JSON.parse(text)).find(({ productId }) => productId === listed)
    assert.deepEqual(shownBlocks(line), after)
  })

  it("hide while a seller is away or not yet live, and are there again afterwards", function* () {
    const shop = yield* makeShop("resting", [{ productId: 10_013, finish: "Standard", price: 1, quantity: 2 }])
    const open = yield* checkProduct(10_013)
    yield* shop.api.account.setVacation({ payload: { enabled: true } })
    assert.notDeepEqual(yield* checkProduct(10_013), open)
    yield* shop.api.account.setVacation({ payload: { enabled: false } })
    assert.deepEqual(yield* checkProduct(10_013), open)
    const { controlAccounts } = yield* control
    yield* controlAccounts.changeAccount({ params: { accountId: shop.id }, payload: { stage: "staged" } })
    assert.notDeepEqual(yield* checkProduct(10_013), open)
  })

  it("in the words of the live service are called as there", function* () {
    const shown = yield* checkProduct(listed)
    const { speak } = yield* Served
    yield* speak("live")
    const text = JSON.stringify((yield* ask(`/v1/products/${listed}`)).json)
    yield* speak("spec")
    assert.include(text, `"cardnexus":${JSON.stringify(shown["Foil"]).slice(0, 20)}`)
    assert.notInclude(text, "marketplace")
  })

  it("of all products of the sample agree with their listings", function* () {
    assert.deepInclude(yield* (yield* Served).liveBlocks, { contradicting: 0 })
    // Every seventh product, or every fortieth; the rest are counted in the same way.
    for (const game of ["emberfall", "tidewrack", "clockwork-orchard"]) {
      const { json } = yield* search({ gameFilters: { game } }, "?limit=200")
      const products = json.data as unknown as ReadonlyArray<Priced>
      for (const { id } of products.filter((_, at) => at % rounds(7, 40) === 0)) yield* checkProduct(id)
    }
  })
})
