import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, section, untried } from "../Fact.ts"
import { answered, readList, refused, all, at, keysAt, listAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"

export const disagreements = [
  section("beyond", "15. Where the published client and the spec disagree", [
    fact("1", "search paging is read from the query first, then from the body", async ({ ask }) => {
      const page = await answered(ask("POST /v1/products/search?limit=2&offset=1", { limit: 5, offset: 4 }))
      deepEqual([at(page, "pagination.limit"), at(page, "pagination.offset")], [2, 1])
    }),
    fact("2", "GET /v1/products is a search without filters", async ({ ask }) => {
      const [list, search] = [
        await ask("GET /v1/products?limit=7&offset=3"),
        await ask("POST /v1/products/search?limit=7&offset=3", {})
      ]
      equal(list.text, search.text)
    }),
    fact("3", "currencies are the five of the specification", async ({ shop }) => {
      for (const currency of ["SEK", "DKK", "NOK", "PLN", "HUF", "AUD"]) {
        const lines = [{ ...card, listing: { price: { amount: 1, currency } } }]
        await refused(shop.ask("POST /v1/inventory", { lines }), 400)
      }
    }),
    fact("4", "nameSlug is unique in its game, as the specification says", async ({ products }) => {
      const slugs = products.map((each) => `${String(at(each, "gameId"))} ${String(at(each, "nameSlug"))}`)
      equal(new Set(slugs).size, slugs.length)
    }),
    fact("5", "a changed item of the changelog has slug and id", async ({ ask }) => {
      const page = await answered(ask("GET /v1/feeds/emberfall/changelog?includeChanges=true"))
      const items = listAt(page, "data").at(-1)
      deepEqual(
        [...new Set(all(items, "changes.products.added.*").map((each) => keysAt(each, "").join(" ")))],
        ["id slug"]
      )
    }),
    fact("7", "price and id keys are the specification's", async ({ talk }) => {
      for (const word of ["cardmarket", "tcgplayer", "cardnexus", "scryfallId", "konamiId", "dreambornId", "riotId"])
        ok(
          talk.texts.every((text) => !text.includes(`"${word}"`)),
          word
        )
    }),
    fact("8", "the map of prices is pricesByFinish of a card, prices of a sealed product", async ({ products }) => {
      for (const each of products) {
        const isCard = at(each, "productType") === "card"
        deepEqual([at(each, "pricesByFinish") !== undefined, at(each, "prices") !== undefined], [isCard, !isCard])
      }
    }),
    fact("14", "a listed sale has metadata, shippingAddress, and of items inventoryId, customId", async ({ shop }) => {
      for (const each of await readList(shop.ask("GET /v1/sales?limit=100"), "data")) {
        ok(keysAt(each, "").includes("metadata") && keysAt(each, "").includes("shippingAddress"))
        for (const item of listAt(each, "items"))
          ok(keysAt(item, "").includes("inventoryId") && keysAt(item, "").includes("customId"))
      }
    }),
    fact("20", "an unknown id can be told by its code, whatever the status", async ({ ask }) => {
      for (const path of ["games/none", "products/99", "expansions/99", "inventory/none"])
        match(String(at((await ask(`GET /v1/${path}`)).json, "code")), /_?NOT_FOUND$/)
    }),
    ...[
      ["6", "scopes are open texts"],
      ["9", "a price block may have a date"],
      ["10", "a language has 2 to 20 characters"],
      ["11", "shipping.trackingNumber may be null"],
      ["12", "average, completionRate and avgShipTimeHours may be null"],
      ["13", "shipping.shippedAt may be null"],
      ["15", "keys of the client only are ignored"],
      ["16", "keys of July only are ignored"],
      ["17", "gradingService may be null in recent sales"],
      ["18", "links of jobs and of events end at different times"],
      ["19", "order.created may use an older set of statuses"],
      ["21", "a stale address of a feed is ignored"],
      ["22", "a 503 is tried again"]
    ].map(([row = "", says = ""]) => untried(row, says, "it tells a client what to take"))
  ]),
  section("beyond", "16. Outside the spec", [
    ...["tags", "locations"].map((kind) =>
      fact(kind, `${kind} are by name, in a bare list; a name is taken whatever its case`, async ({ seller }) => {
        const { ask } = await seller()
        const path = `/v1/inventory/${kind}`
        await answered(ask(`POST ${path}`, { name: "Fair", color: "red" }))
        deepEqual(await answered(ask(`GET ${path}`)), [{ name: "Fair", color: "red", icon: null }])
        await refused(ask(`POST ${path}`, { name: "FAIR" }), 409, "CONFLICT")
        await answered(ask(`PATCH ${path}/Fair`, { name: "Show" }))
        await answered(ask(`DELETE ${path}/Show`, {}))
        deepEqual(await answered(ask(`GET ${path}`)), [])
      })
    ),
    ...["lists", "offers", "optimizer", "tracking", "connect", "managed accounts"].map((kind) =>
      untried(kind, `${kind} are operations of the live service`, "outside the specification")
    )
  ])
]
