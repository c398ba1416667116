import { deepEqual, equal } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, readList, all, at, listAt } from "../reading/ask.ts"
import { countable, country, eachOf, filled, integer, money, nullOr, object, oneOf, text } from "../reading/kinds.ts"
import { box, card, slab } from "../world/trade.ts"

const price = { price: { amount: 3.5, currency: "EUR" } }

/** Listings of cards, graded cards and sealed products, as a buyer in France and one anywhere read them. */
const listings = once(async ({ ask, stock, seller }) => {
  const me = await seller()
  await stock(
    me,
    { ...card, comment: "Pack fresh", listing: price },
    { ...slab, listing: price },
    { ...box, listing: price },
    { ...box, language: null, listing: price }
  )
  const found: Array<unknown> = []
  for (const { productId } of [card, box])
    for (const query of ["", "&deliveryCountry=FR"])
      found.push(...listAt(await answered(ask(`GET /v1/products/${productId}/listings?limit=100${query}`)), "data"))
  return found
})
const listing = fieldsOf("a listing", listings)

export const listingRecords = [
  section("spec", "ProductListing", [
    ...listing(filled, "listingId finish graded.grade seller.id seller.username"),
    fact("listingId", "it is passed to the cart to buy from the listing", async ({ party, offers, ask }) => {
      const me = await party({ country: "FR" })
      const data = await readList(ask(`GET /v1/products/${card.productId}/listings?limit=100`), "data")
      const mine = data.find((each) => at(each, "listingId") === offers[0]?.listingId)
      const items = [{ listingId: at(mine, "listingId"), quantity: 1 }]
      const cart = await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items }))
      deepEqual(all(cart, "cart.sellers.*.items.*.unitPrice"), [at(mine, "price")])
    }),
    ...listing(money, "price"),
    ...listing(integer, "quantity"),
    fact("quantity", "it is the units that are for sale, less after each sale", async (world) => {
      const { seller, offer, ofListing, buy, buyer } = world
      const mine = await offer(await seller(), 9, { quantity: 5, condition: "HP" })
      const quantity = () => ofListing(mine.listingId, "condition=HP&finish=Standard", "quantity")
      deepEqual(await quantity(), [5])
      await buy(buyer, [mine])
      deepEqual(await quantity(), [4])
    }),
    ...listing(nullOr(oneOf("NM", "LP", "MP", "HP", "DMG")), "condition"),
    fact("condition", "it is null when graded", async (world) => {
      for (const each of await listings(world)) if (at(each, "graded") !== null) equal(at(each, "condition"), null)
    }),
    ...listing(nullOr(text), "language comment"),
    ...listing(nullOr(object), "graded"),
    ...listing(object, "seller seller.rating"),
    ...listing(country, "seller.country"),
    ...listing(eachOf("pro", "individual"), "seller.type"),
    ...listing(countable, "seller.rating.count"),
    ...listing(nullOr(money), "seller.shipping"),
    fact("seller", "shipping is what the seller charges to that country, and null without one", async (world) => {
      const { seller, offer, ofListing, shipTo } = world
      const me = await seller()
      const { listingId } = await offer(me, 9.5, { condition: "DMG" })
      await shipTo(me, "IT", "tracked", 4.2)
      const shipping = (query: string) => ofListing(listingId, `condition=DMG${query}`, "seller.shipping")
      deepEqual(await shipping("&deliveryCountry=IT"), [{ amount: 4.2, currency: "EUR" }])
      deepEqual(await shipping(""), [null])
    })
  ])
]
