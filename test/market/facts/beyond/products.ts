import * as kind from "../reading/kinds.ts"
import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readList, refused, all, at, keysAt, listAt, numberAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"
import { searches } from "./search.ts"

const listings = "GET /v1/products/{productId}/listings"

const cards = fieldsOf("a card", ({ products }) => products.filter((each) => at(each, "productType") === "card"))
const cheapest = fieldsOf(
  "the cheapest listing",
  once(async ({ ask, stock, seller }) => {
    await stock(await seller(), { ...card, listing: { price: { amount: 0.02, currency: "EUR" } } })
    const page = await answered(ask("POST /v1/products/search?limit=200", { listings: { inStock: true } }))
    return all(page, "data.*.availability.cheapest")
  })
)

export const products = section("beyond", "6. Products", [
  ...searches,
  ...cards(kind.integer, "id", "id, gameId, game, name, nameSlug, languages"),
  ...cards(kind.slug, "gameId nameSlug", "id, gameId, game, name, nameSlug, languages"),
  ...cards(kind.object, "game", "id, gameId, game, name, nameSlug, languages"),
  ...cards(kind.filled, "name", "id, gameId, game, name, nameSlug, languages"),
  ...cards(kind.listOf(kind.language), "languages", "id, gameId, game, name, nameSlug, languages"),
  ...cards(kind.listOf(kind.filled), "finishes"),
  ...cards(kind.just("card"), "productType"),
  ...cards(kind.object, "pricesByFinish attributes"),
  fact("pricesByFinish", "it is {} when there is no price, and its finishes are the card's", async ({ products }) => {
    const priced = products.filter((each) => at(each, "pricesByFinish") !== undefined)
    ok(priced.some((each) => keysAt(each, "pricesByFinish").length === 0))
    for (const each of priced)
      for (const finish of keysAt(each, "pricesByFinish")) ok(listAt(each, "finishes").includes(finish))
  }),
  ...cards(kind.maybeAbsent(kind.integer), "expansionId", "expansionId?, expansion?, imageUrl?, externalIds?"),
  ...cards(kind.maybeAbsent(kind.uri), "imageUrl", "expansionId?, expansion?, imageUrl?, externalIds?"),
  ...cards(kind.maybeAbsent(kind.object), "externalIds", "expansionId?, expansion?, imageUrl?, externalIds?"),
  ...cards(kind.maybeAbsent(kind.text), "printNumber", "printNumber?"),
  ...cards(kind.maybeAbsent(kind.maybeNull(kind.text)), "rarity", "rarity?"),
  ...cards(kind.maybeAbsent(kind.text), "variant", "variant?"),
  ...cards(kind.maybeAbsent(kind.uri), "imageBackUrl", "imageBackUrl?"),
  ...cheapest(kind.filled, "listingId finish seller.id seller.username", "availability.cheapest"),
  ...cheapest(kind.money, "price priceEur", "availability.cheapest"),
  ...cheapest(kind.just("EUR"), "priceEur.currency", "availability.cheapest"),
  ...cheapest(kind.integer, "quantity", "availability.cheapest"),
  ...cheapest(kind.maybeNull(kind.oneOf("NM", "LP", "MP", "HP", "DMG")), "condition", "availability.cheapest"),
  ...cheapest(kind.maybeNull(kind.language), "language", "availability.cheapest"),
  ...cheapest(kind.country, "seller.country", "availability.cheapest"),
  ...cheapest(kind.eachOf("pro", "individual"), "seller.type", "availability.cheapest"),
  untried("GET /v1/products/{productId}", "externalIds are always there", "not in the specification"),
  fact("POST /v1/products/resolve", "each id in the order asked, an unknown one with null", async (world) => {
    const { ask, products } = world
    for (const marketplace of ["sourceEur", "sourceUsd"]) {
      const known = all(products, `*.externalIds.${marketplace}.0.id`)
        .filter((id) => id !== undefined)
        .slice(0, 3)
      const ids = [known[2], 1, known[0], known[1]]
      const results = await readList(ask("POST /v1/products/resolve", { marketplace, ids }), "results")
      deepEqual(all(results, "*.externalId"), ids)
      deepEqual(
        results.map((each) => at(each, "product") === null),
        [false, true, false, false]
      )
      deepEqual(keysAt(results[0], "product"), ["expansionId", "finish", "gameId", "id", "name"])
    }
  }),
  ...[0, 201].map((count) =>
    fact("POST /v1/products/resolve", `${count} ids are refused`, async ({ ask }) => {
      const ids = Array.from({ length: count }, (_, id) => id)
      await refused(ask("POST /v1/products/resolve", { marketplace: "sourceEur", ids }), 400)
    })
  ),
  fact(listings, "cheapest first, compared in one currency", async (world) => {
    const { ask, party, stock } = world
    const line = { ...card, productId: 10_013, condition: "HP", language: "de" }
    for (const [from, currency, amount] of [
      ["DE", "EUR", 100],
      ["GB", "GBP", 90],
      ["US", "USD", 105]
    ] as const)
      await stock(await party({ country: from, currency }), { ...line, listing: { price: { amount, currency } } })
    const page = await answered(
      ask("GET /v1/products/10013/listings?limit=100&condition=HP&language=de&finish=Standard")
    )
    deepEqual(all(page, "data.*.price.currency"), ["USD", "EUR", "GBP"])
  }),
  ...[
    ["condition=HP", "condition", "HP"],
    ["language=de", "language", "de"],
    ["finish=Foil", "finish", "Foil"]
  ].map(([query = "", key = "", value]) =>
    fact(listings, `?${query} finds those listings alone`, async ({ ask }) => {
      const page = await answered(ask(`GET /v1/products/10007/listings?limit=100&${query}`))
      deepEqual([...new Set(all(page, `data.*.${key}`))], [value])
    })
  ),
  ...[
    ["eu", ["EUR"]],
    ["na", ["USD"]]
  ].map(([region, currencies]) =>
    fact(listings, `?region=${String(region)} finds that region's listings`, async ({ ask }) => {
      const page = await answered(ask(`GET /v1/products/10007/listings?limit=100&finish=Foil&region=${String(region)}`))
      ok(listAt(page, "data").length > 0)
      ok(all(page, "data.*.seller.country").every((code) => (code === "US" || code === "CA") === (region === "na")))
      ok(all(page, "data.*.price.currency").every((code) => region === "eu" || currencies?.includes(String(code))))
    })
  ),
  fact(listings, "a listing has photos, each with url, width and height", async ({ ask }) => {
    const page = await answered(ask("GET /v1/products/10007/listings?limit=1"))
    ok(Array.isArray(at(page, "data.0.photos")))
  }),
  fact("", "with listings, a search is 300,000 products deep at most", async ({ ask }) => {
    const body = { listings: {} }
    await answered(ask("POST /v1/products/search?limit=1&offset=299999", body))
    await refused(ask("POST /v1/products/search?limit=1&offset=300000", body), 400)
    equal(
      numberAt(await answered(ask("POST /v1/products/search?limit=1&offset=300000", {})), "pagination.offset"),
      300_000
    )
  }),
  untried("", "one id of a source can stand for two finishes", "it was observed in the live service's data"),
  untried("", "30 finishes, 24 languages, 12 categories are known", "they are words of the live service")
])

const games = once(async ({ ask }) => await readList(ask("GET /v1/games"), "data"))
const expansions = once(async (world) => {
  const found: Array<unknown> = []
  for (const game of all(await games(world), "*.id"))
    found.push(...listAt(await answered(world.ask(`GET /v1/games/${String(game)}/expansions?limit=200`)), "data"))
  return found
})
const game = fieldsOf("a game", games)
const expansion = fieldsOf("an expansion", expansions)

export const gamesAndExpansions = section("beyond", "5. Games and expansions", [
  ...game(kind.slug, "id"),
  ...game(kind.filled, "name"),
  ...game(kind.maybeAbsent(kind.dateTime), "releaseDate", "releaseDate?"),
  ...game(kind.maybeAbsent(kind.countable), "cardCount", "cardCount?"),
  ...game(kind.maybeAbsent(kind.countable), "sealedProductCount", "sealedProductCount?"),
  ...game(kind.maybeAbsent(kind.uri), "logoUrl", "logoUrl?"),
  ...expansion(kind.integer, "id"),
  ...expansion(kind.slug, "gameId slug"),
  ...expansion(kind.filled, "name code", "name, code"),
  ...expansion(kind.listOf(kind.language), "languages"),
  ...expansion(kind.maybeAbsent(kind.countable), "cardCount", "cardCount?"),
  ...expansion(kind.maybeAbsent(kind.countable), "sealedProductCount", "sealedProductCount?"),
  ...expansion(kind.maybeAbsent(kind.uri), "logoUrl", "logoUrl?"),
  ...expansion(kind.maybeAbsent(kind.uri), "symbolUrl", "symbolUrl?"),
  ...expansion(kind.maybeAbsent(kind.dateTime), "releaseDate", "releaseDate?"),
  fact("slug", "an expansion's slug is unique in its game", async (world) => {
    const slugs = (await expansions(world)).map((each) => `${String(at(each, "gameId"))} ${String(at(each, "slug"))}`)
    equal(new Set(slugs).size, slugs.length)
  }),
  fact("", "expansions come newest release first, those without a date last", async (world) => {
    for (const game of all(await games(world), "*.id")) {
      const dates = (await expansions(world))
        .filter((each) => at(each, "gameId") === game)
        .map((each) => String(at(each, "releaseDate") ?? ""))
      deepEqual(dates, dates.toSorted().toReversed())
    }
  }),
  fact("GET /v1/expansions/{expansionId}", "it answers the expansion as the list has it", async (world) => {
    for (const each of await expansions(world))
      deepEqual(await answered(world.ask(`GET /v1/expansions/${String(at(each, "id"))}`)), each)
  }),
  untried("code", "code is unique in its game", "two expansions of a game share one, as in the live service"),
  untried("", "there are about two dozen games, one of them a placeholder", "the sandbox has three invented ones")
])
