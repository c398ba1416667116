import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { fact, section, untried, type Fact } from "../Fact.ts"
import {
  answered,
  readAll,
  readAt,
  readList,
  readText,
  refused,
  all,
  at,
  centsAt,
  keysAt,
  listAt,
  numberAt,
  textAt,
  fetched
} from "../reading/ask.ts"
import { slab } from "../world/trade.ts"
import { unoffered, type World } from "../world/World.ts"
import { lines } from "./lines.ts"

/** A condition of the EUR source's own export, and ours. */
const conditions: ReadonlyArray<readonly [theirs: string, ours: string]> = [
  ["MT", "NM"],
  ["NM", "NM"],
  ["EX", "LP"],
  ["LP", "LP"],
  ["GD", "MP"],
  ["PL", "HP"],
  ["PO", "DMG"]
]
const ignored = ["name", "expansion", "url", "game", "printNumber", "rarity"]

const usd = "SKU Id,Product Line,Set Name,Number,Quantity,Condition,Language,Price"
const usdFile = (product: unknown) => {
  const names = ["game.name", "expansion.name", "printNumber"].map((path) => String(at(product, path)))
  return `${usd}\nsku-1,${names.join(",")},2,Near Mint,English,1.50\n`
}

/** An English card of one finish whose game, set name and number as many cards have as are wanted. */
const namesake = ({ products }: World, isWanted: (cards: number) => boolean) => {
  const nameOf = (each: unknown) => ["gameId", "expansion.name", "printNumber"].map((path) => at(each, path))
  const same = Map.groupBy(products, (each) => nameOf(each).join(" "))
  return products.find((each) => {
    const isPlain = at(each, "finishes.0") === "Standard" && all(each, "languages.*").includes("en")
    return isPlain && !nameOf(each).includes(undefined) && isWanted(same.get(nameOf(each).join(" "))?.length ?? 0)
  })
}

const presets: ReadonlyArray<Fact> = [
  ...conditions.map(([theirs, ours]) =>
    fact("presets", `of the EUR source ${theirs} becomes ${ours}, and idArticle the customId`, async (world) => {
      const { seller, imported, products } = world
      const me = await seller()
      const id = at(
        products.find((each) => at(each, "id") === 10_007),
        "externalIds.sourceEur.0.id"
      )
      const file = `idArticle,idProduct,language,condition,price,amount\nart-${theirs},${String(id)},English,${theirs},1.50,2\n`
      await imported(me, file, {}, "/sourceEur")
      const [line] = await readAll(me.ask("GET /v1/inventory"), "data.*")
      deepEqual([at(line, "condition"), at(line, "customId")], [ours, `art-${theirs}`])
    })
  ),
  fact("presets", "the USD source matches by line, set and number, and its SKU becomes the customId", async (world) => {
    const me = await world.party({ country: "US", currency: "USD" })
    const unique = namesake(world, (cards) => cards === 1)
    await world.imported(me, usdFile(unique), {}, "/sourceUsd")
    const [line] = await readAll(me.ask("GET /v1/inventory"), "data.*")
    deepEqual([at(line, "productId"), at(line, "customId")], [at(unique, "id"), "sku-1"])
  }),
  fact("presets", "of the USD source an ambiguous row is PRODUCT_NOT_FOUND", async (world) => {
    const me = await world.party({ country: "US", currency: "USD" })
    const twin = namesake(world, (cards) => cards > 1)
    const job = await world.imported(me, usdFile(twin), {}, "/sourceUsd")
    const { bytes } = await fetched(textAt(job, "errorReportUrl"))
    deepEqual(all(JSON.parse(bytes.toString()), "*.code"), ["PRODUCT_NOT_FOUND"])
  }),
  fact("ignored columns", `an import ignores ${ignored.join(", ")}`, async ({ seller, imported }) => {
    const me = await seller()
    const head = `productId,finish,condition,language,quantity,${ignored.join(",")}`
    const job = await imported(me, `${head}\n10007,Standard,NM,en,2,wrong,wrong,wrong,tidewrack,99,none\n`)
    deepEqual(at(job, "counts"), { total: 1, succeeded: 1, failed: 0 })
    equal(await readText(me.ask("GET /v1/inventory"), "data.0.game"), "emberfall")
  }),
  fact("ignored columns", "an import ignores the ids of the two sources beside a product's", async (world) => {
    const { seller, imported } = world
    const me = await seller()
    const job = await imported(
      me,
      "productId,sourceEur,sourceUsd,finish,condition,language,quantity\n10007,1,2,Standard,NM,en,2\n"
    )
    deepEqual(at(job, "counts"), { total: 1, succeeded: 1, failed: 0 })
  })
]

export const more = section("live", "4. More facts", [
  ...lines,
  fact("managed shipping", "a parcel that the service sends is SHIPPING_MANAGED_BY_ and its name", async (world) => {
    const { buy, offer, party, seller, shipTo } = world
    const [me, to] = [await seller(), await party({ country: "BE" })]
    await shipTo(me, "BE", "managed")
    const order = await buy(to, [await offer(me, 4)])
    const { json, status } = await me.ask(`POST /v1/sales/${order}/mark-shipped`, { trackingNumber: "MANAGED-1" })
    equal(status, 409)
    match(textAt(json, "code"), /^SHIPPING_MANAGED_BY_[A-Z]+$/)
  }),
  fact("live block", "a region without listings has no key", async (world) => {
    const productId = await unoffered(world)
    const regions = async () =>
      keysAt(
        await answered(world.ask(`GET /v1/products/${productId}/prices`)),
        "pricesByFinish.Standard.marketplace.regions"
      )
    await world.offer(await world.seller(), 5, { productId })
    deepEqual(await regions(), ["eu"])
    await world.offer(await world.party({ country: "US", currency: "USD" }), 6, { productId }, "USD")
    deepEqual(await regions(), ["eu", "na"])
  }),
  fact("live block", "graded copies count in the totals but not in byCondition", async ({ ask, seller, stock }) => {
    const read = async () => {
      const prices = await answered(ask("GET /v1/products/10007/prices"))
      const eu = at(prices, "pricesByFinish.Foil.marketplace.regions.eu")
      return [numberAt(eu, "listingCount"), JSON.stringify(at(eu, "byCondition"))]
    }
    const [count, conditions] = await read()
    await stock(await seller(), { ...slab, listing: { price: { amount: 900, currency: "EUR" } } })
    deepEqual(await read(), [Number(count) + 1, conditions])
  }),
  fact("live block", "it moves at once with a price, and goes with the last listing", async (world) => {
    const { ask, seller, offer } = world
    const me = await seller()
    const { inventoryId } = await offer(me, 0.02, { productId: 10_019 })
    const low = async () =>
      await readAt(ask("GET /v1/products/10019/prices"), "pricesByFinish.Standard.marketplace.regions.eu.low")
    equal(await low(), 0.02)
    await answered(me.ask(`PATCH /v1/inventory/${inventoryId}/listing`, { price: { amount: 0.01, currency: "EUR" } }))
    equal(await low(), 0.01)
    await answered(me.ask(`DELETE /v1/inventory/${inventoryId}/listing`, {}))
    notEqual(await low(), 0.01)
  }),
  fact("print numbers", "name and print number pin a print", async ({ ask }) => {
    deepEqual(await readAll(ask("POST /v1/products/search", { name: "ashen warden 1" }), "data.*.id"), [10_007])
  }),
  ...["emb-1", "emb 1", "emb1", "EMB-1"].map((name) =>
    fact("print numbers", `"${name}" finds what has that code and number, and nothing else`, async (world) => {
      const { ask, products } = world
      const expected = products.filter(
        (each) => at(each, "expansion.code") === "EMB" && at(each, "printNumber") === "1"
      )
      ok(expected.length > 0)
      const page = await answered(ask("POST /v1/products/search", { name }))
      deepEqual(all(page, "data.*.id").map(String).toSorted(), all(expected, "*.id").map(String).toSorted())
    })
  ),
  fact("print numbers", "an expansion's code finds its products", async ({ ask, products }) => {
    const page = await answered(ask("POST /v1/products/search?limit=200", { name: "dun" }))
    const codes = new Set(all(page, "data.*.expansion.code"))
    const ofExpansion = products.filter((each) => at(each, "expansion.code") === "DUN").length
    ok(
      codes.has("DUN") &&
        listAt(page, "data").filter((each) => at(each, "expansion.code") === "DUN").length >= Math.min(ofExpansion, 150)
    )
  }),
  fact("countries", "a seller ships within its region, and a country outside matches nothing", async ({ ask }) => {
    const shipped = async (country: string) =>
      await readList(ask(`GET /v1/products/10007/listings?limit=100&finish=Foil&deliveryCountry=${country}`), "data")
    for (const [country, isHome] of [
      ["FR", (code: string) => code !== "US" && code !== "CA"],
      ["US", (code: string) => code === "US" || code === "CA"]
    ] as const) {
      const listings = await shipped(country)
      ok(listings.length > 0)
      ok(all(listings, "*.seller.country").every((code) => isHome(String(code))))
    }
    deepEqual(await shipped("JP"), [])
  }),
  fact("limit per order", "a cart's item beyond the limit or the stock is refused on PATCH with 400", async (world) => {
    const { party, offer, seller } = world
    const me = await party({ country: "FR" })
    const { listingId } = await offer(await seller(), 0.1, { quantity: 5000 })
    await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items: [{ listingId, quantity: 1 }] }))
    await refused(me.ask(`PATCH /v1/cart/items/${listingId}`, { quantity: 4000 }), 400)
    const few = (await offer(await seller(), 0.1, { quantity: 9 })).listingId
    await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items: [{ listingId: few, quantity: 1 }] }))
    equal(await readAt(me.ask(`PATCH /v1/cart/items/${few}`, { quantity: 9 }), "itemCount"), 10)
    await refused(me.ask(`PATCH /v1/cart/items/${few}`, { quantity: 10 }), 400)
  }),
  untried("limit per order", "a seller sets the limit of a listing", "no operation has it"),
  fact("refunds", "their sum stays below items and shipping", async ({ ordered, shop, saleOf, wait }) => {
    const order = await ordered("shipped")
    const refund = (amount: number) => shop.ask(`POST /v1/sales/${order}/refunds`, { amount })
    const sale = await saleOf(order)
    const whole = centsAt(sale, "subtotal.amount") + centsAt(sale, "shippingAmount.amount")
    await answered(refund((whole - 100) / 100))
    await wait(600)
    await refused(refund(1), 409, "AMOUNT_TOO_HIGH")
    await answered(refund(0.99))
  }),
  fact("refunds", "REFUND_IN_PROGRESS also while a payout runs", async ({ control, ordered, saleOf, shop, wait }) => {
    const order = await ordered("delivered")
    const now = Date.parse(await readText(control("GET /sandbox/clock"), "now"))
    await wait((Date.parse(textAt(await saleOf(order), "payout.eligibleAt")) - now) / 1000 + 5)
    await refused(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1 }), 409, "REFUND_IN_PROGRESS")
  }),
  untried("insurance", "sales shipped through the API are uninsured", "the specification has a premium"),
  ...presets,
  fact("message.received", "support writes to both sides, under a name of its own, in scope support", async (world) => {
    const { control, eventsOf, offer, buy, party, seller } = world
    const [me, to] = [await seller(), await party({ country: "FR" })]
    const order = await buy(to, [await offer(me, 3)])
    await answered(control(`POST /sandbox/orders/${order}/messages`, { from: "support" }))
    for (const side of [me, to]) {
      const [event] = await eventsOf(side, "message.received")
      equal(at(event, "data.context.scope"), "support")
      ok(![me.username, to.username].includes(textAt(event, "data.sender.username")))
    }
  }),
  fact("sealed categories", "redemption_box and preconstructed_deck are categories, too", async ({ products }) => {
    const names = all(products, "*.productCategory")
    for (const name of ["redemption_box", "preconstructed_deck"]) ok(names.includes(name), name)
  }),
  fact("changelog", "it answers no 404: an unknown game is a 400, a 500 in the live words", async (world) => {
    const { ask, limited } = world
    const { control, party } = limited.trade
    const live = await party()
    const path = "GET /v1/feeds/none/changelog"
    deepEqual(await refused(ask(path), 400, "GAME_NOT_FOUND"), { gameId: "none" })
    await answered(control("POST /sandbox/dialect", { dialect: "live" }))
    const answer = await live.ask(path)
    await answered(control("POST /sandbox/dialect", { dialect: "spec" }))
    deepEqual(await refused(answer, 500, "GAME_NOT_FOUND"), { gameId: "none" })
  }),
  fact("ratings", "average is null for an account without reviews", async ({ byStatus }) => {
    deepEqual(at(byStatus["shipped"]?.sale, "buyer.rating"), { average: null, count: 0 })
  }),
  untried("offers", "offers have rules of their own", "outside the specification")
])
