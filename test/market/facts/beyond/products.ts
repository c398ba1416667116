import assert from "node:assert/strict"
import { fact, type Section, untried } from "../Fact.ts"
import { answered, refused } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import {
  country,
  eachOf,
  filled,
  integer,
  just,
  language,
  listOf,
  maybeAbsent,
  maybeNull,
  money,
  object,
  oneOf,
  slug,
  text,
  uri
} from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, at, keysAt, listAt, numberAt } from "../reading/paths.ts"
import { card } from "../world/trade.ts"
import { searches } from "./search.ts"

const cards = fieldsOf("a card", ({ products }) => products.filter((each) => at(each, "productType") === "card"))
const cheapest = fieldsOf(
  "the cheapest listing",
  once(async ({ ask, stock, seller }) => {
    await stock(await seller(), { ...card, listing: { price: { amount: 0.02, currency: "EUR" } } })
    const page = await answered(ask("POST /v1/products/search?limit=200", { listings: { inStock: true } }))
    return all(page, "data.*.availability.cheapest")
  })
)

export const products: Section = {
  document: "beyond",
  heading: "6. Products",
  facts: [
    ...searches,
    cards("id, gameId, game, name, nameSlug, languages", "id", integer),
    cards("id, gameId, game, name, nameSlug, languages", "gameId", slug),
    cards("id, gameId, game, name, nameSlug, languages", "game", object),
    cards("id, gameId, game, name, nameSlug, languages", "name", filled),
    cards("id, gameId, game, name, nameSlug, languages", "nameSlug", slug),
    cards("id, gameId, game, name, nameSlug, languages", "languages", listOf(language)),
    cards("finishes", "finishes", listOf(filled)),
    cards("productType", "productType", just("card")),
    cards("pricesByFinish", "pricesByFinish", object),
    fact("pricesByFinish", "it is {} when there is no price, and its finishes are the card's", async ({ products }) => {
      const priced = products.filter((each) => at(each, "pricesByFinish") !== undefined)
      assert.ok(priced.some((each) => keysAt(each, "pricesByFinish").length === 0))
      for (const each of priced)
        for (const finish of keysAt(each, "pricesByFinish")) assert.ok(listAt(each, "finishes").includes(finish))
    }),
    cards("expansionId?, expansion?, imageUrl?, externalIds?", "expansionId", maybeAbsent(integer)),
    cards("expansionId?, expansion?, imageUrl?, externalIds?", "imageUrl", maybeAbsent(uri)),
    cards("expansionId?, expansion?, imageUrl?, externalIds?", "externalIds", maybeAbsent(object)),
    cards("attributes", "attributes", object),
    cards("printNumber?", "printNumber", maybeAbsent(text)),
    cards("rarity?", "rarity", maybeAbsent(maybeNull(text))),
    cards("variant?", "variant", maybeAbsent(text)),
    cards("imageBackUrl?", "imageBackUrl", maybeAbsent(uri)),
    cheapest("availability.cheapest", "listingId", filled),
    cheapest("availability.cheapest", "price", money),
    cheapest("availability.cheapest", "priceEur", money),
    cheapest("availability.cheapest", "priceEur.currency", just("EUR")),
    cheapest("availability.cheapest", "quantity", integer),
    cheapest("availability.cheapest", "finish", filled),
    cheapest("availability.cheapest", "condition", maybeNull(oneOf("NM", "LP", "MP", "HP", "DMG"))),
    cheapest("availability.cheapest", "language", maybeNull(language)),
    cheapest("availability.cheapest", "seller.id", filled),
    cheapest("availability.cheapest", "seller.username", filled),
    cheapest("availability.cheapest", "seller.country", country),
    cheapest("availability.cheapest", "seller.type", eachOf("pro", "individual")),
    untried(
      "GET /v1/products/{productId}",
      "externalIds are always there",
      "the specification, which wins, has none without a mapping"
    ),
    fact(
      "POST /v1/products/resolve",
      "each id is answered in the order asked, an unknown one with null",
      async ({ ask, products }) => {
        for (const marketplace of ["sourceEur", "sourceUsd"]) {
          const known = all(products, `*.externalIds.${marketplace}.0.id`)
            .filter((id) => id !== undefined)
            .slice(0, 3)
          const ids = [known[2], 1, known[0], known[1]]
          const results = listAt(await answered(ask("POST /v1/products/resolve", { marketplace, ids })), "results")
          assert.deepEqual(all(results, "*.externalId"), ids)
          assert.deepEqual(
            results.map((each) => at(each, "product") === null),
            [false, true, false, false]
          )
          assert.deepEqual(keysAt(results[0], "product"), ["expansionId", "finish", "gameId", "id", "name"])
        }
      }
    ),
    ...[0, 201].map((count) =>
      fact("POST /v1/products/resolve", `${count} ids are refused`, async ({ ask }) => {
        const ids = Array.from({ length: count }, (_, id) => id)
        await refused(ask("POST /v1/products/resolve", { marketplace: "sourceEur", ids }), 400)
      })
    ),
    fact(
      "GET /v1/products/{productId}/listings",
      "cheapest first, compared in one currency",
      async ({ ask, party, stock }) => {
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
        assert.deepEqual(all(page, "data.*.price.currency"), ["USD", "EUR", "GBP"])
      }
    ),
    ...[
      ["condition=HP", "condition", "HP"],
      ["language=de", "language", "de"],
      ["finish=Foil", "finish", "Foil"]
    ].map(([query = "", key = "", value]) =>
      fact("GET /v1/products/{productId}/listings", `?${query} finds those listings alone`, async ({ ask }) => {
        const page = await answered(ask(`GET /v1/products/10007/listings?limit=100&${query}`))
        assert.deepEqual([...new Set(all(page, `data.*.${key}`))], [value])
      })
    ),
    ...[
      ["eu", ["EUR"]],
      ["na", ["USD"]]
    ].map(([region, currencies]) =>
      fact(
        "GET /v1/products/{productId}/listings",
        `?region=${String(region)} finds that region's listings`,
        async ({ ask }) => {
          const page = await answered(
            ask(`GET /v1/products/10007/listings?limit=100&finish=Foil&region=${String(region)}`)
          )
          assert.ok(listAt(page, "data").length > 0)
          assert.ok(
            all(page, "data.*.seller.country").every((code) => (code === "US" || code === "CA") === (region === "na"))
          )
          assert.ok(
            all(page, "data.*.price.currency").every((code) => region === "eu" || currencies?.includes(String(code)))
          )
        }
      )
    ),
    fact(
      "GET /v1/products/{productId}/listings",
      "a listing has photos, each with url, width and height",
      async ({ ask }) => {
        const page = await answered(ask("GET /v1/products/10007/listings?limit=1"))
        assert.ok(Array.isArray(at(page, "data.0.photos")))
      }
    ),
    fact("", "with listings, a search is 300,000 products deep at most", async ({ ask }) => {
      const body = { listings: {} }
      await answered(ask("POST /v1/products/search?limit=1&offset=299999", body))
      await refused(ask("POST /v1/products/search?limit=1&offset=300000", body), 400)
      assert.equal(
        numberAt(await answered(ask("POST /v1/products/search?limit=1&offset=300000", {})), "pagination.offset"),
        300_000
      )
    }),
    untried("", "one id of a source can stand for two finishes", "it was observed in the live service's data"),
    untried(
      "",
      "30 finishes, 24 languages and 12 categories are known",
      "they are words of the live service; the invented games have their own"
    )
  ]
}
