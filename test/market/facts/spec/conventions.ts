import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, fieldsOf, section } from "../Fact.ts"
import { answered, readList, refused, all, at } from "../reading/ask.ts"
import { currency, filled, integer, number } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"

const largest = "9007199254740991"
const listing = fieldsOf(
  "a listing",
  async ({ ask }) => await readList(ask(`GET /v1/products/${card.productId}/listings`), "data")
)
const product = fieldsOf("a product", ({ products }) => products)
const moneys = fieldsOf("an amount of a sale", ({ sales }) =>
  ["subtotal", "shippingAmount", "sellerFee.amount", "items.*.unitPrice", "items.*.lineTotal"].flatMap((path) =>
    all(sales, `*.${path}`)
  )
)

/** What stands after a key, in everything that was answered so far. */
const texts = (answers: ReadonlyArray<string>, pattern: RegExp): ReadonlyArray<string> =>
  answers.flatMap((text) => Array.from(text.matchAll(pattern), (match) => match[1] ?? ""))

export const conventions = [
  section("spec", "Resources and their fields", [
    fact("", "the same record is answered alike whenever it is read", async ({ ask }) => {
      const [first, second] = [await ask("GET /v1/products/10046"), await ask("GET /v1/products/10046")]
      equal(first.text, second.text)
    })
  ]),
  section("spec", "Conventions", [
    fact("", "a required, nullable key is there although its value is null", async ({ byStatus }) => {
      const sale = byStatus["pending_shipment"]?.sale
      for (const key of ["shippedAt", "deliveredAt", "completedAt"]) equal(at(sale, key), null)
    }),
    fact("", "every timestamp is an ISO 8601 date-time in UTC", async ({ talk }) => {
      const found = texts(talk.texts, /"(?:\w+At|releaseDate|timestamp)":("[^"]*"|-?\d[^,}]*)/g)
      ok(found.length > 100)
      deepEqual(
        found.filter((value) => !/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"$/.test(value)),
        []
      )
    }),
    fact("", "an id of a party, a line and a job is a text", async ({ talk }) => {
      const found = texts(talk.texts, /"(?:inventoryId|listingId|jobId)":([^,}]*)/g)
      ok(found.length > 50)
      deepEqual(
        found.filter((value) => !value.startsWith('"')),
        []
      )
    }),
    ...listing(filled, "listingId seller.id", ""),
    fact("", "a cursor is a text that is passed back as it is", async ({ ask }) => {
      const page = await answered(ask(`GET /v1/products/${card.productId}/listings?limit=1`))
      equal(typeof at(page, "pagination.nextCursor"), "string")
    }),
    ...product(integer, "id expansion.id", ""),
    fact("", "ids are answered in digits, none beyond 9007199254740991", async ({ talk }) => {
      const found = texts(talk.texts, /"(?:id|productId|expansionId)":(-?\d[^,}\]]*)/g)
      ok(found.length > 100 && found.some((digits) => digits.length === 16))
      deepEqual(
        found.filter((digits) => !/^-?\d{1,16}$/.test(digits) || BigInt(digits) > BigInt(largest)),
        []
      )
    }),
    ...[largest, `-${largest}`].map((id) =>
      fact("", `${id} is an id that may be asked for`, async ({ ask }) => {
        await refused(ask(`GET /v1/products/${id}`), 404, "PRODUCT_NOT_FOUND")
      })
    ),
    ...["9007199254740992", "-9007199254740992", "1.5", "abc"].map((id) =>
      fact("", `${id} is no id`, async ({ ask }) => {
        await refused(ask(`GET /v1/products/${id}`), 400, "BAD_REQUEST")
      })
    ),
    fact("", "an id next to 2^53 finds its own product and no neighbour", async ({ ask, products }) => {
      const id = products.map((each) => at(each, "id")).find((each) => Number(each) > 9_007_100_000_000_000)
      match((await ask(`GET /v1/products/${String(id)}`)).text, new RegExp(`^\\{"id":${String(id)},`))
      await refused(ask(`GET /v1/products/${String(Number(id) + 1)}`), 404)
    })
  ]),
  section("spec", "Money", [
    ...moneys(number, "amount"),
    fact("amount", "every amount has at most two decimals, written out", async ({ talk }) => {
      const found = texts(talk.texts, /"amount":(-?\d[^,}]*)/g)
      ok(found.length > 500)
      deepEqual(
        found.filter((digits) => !/^-?\d+(\.\d{1,2})?$/.test(digits)),
        []
      )
    }),
    ...moneys(currency, "currency"),
    fact("amount", "14.99 in USD means 14.99 US dollars, to the digit", async ({ party, stock }) => {
      const me = await party({ country: "US", currency: "USD" })
      const [line] = await stock(me, { ...card, listing: { price: { amount: 14.99, currency: "USD" } } })
      const { text } = await me.ask(`GET /v1/inventory/${String(at(line, "id"))}`)
      match(text, /"price":\{"amount":14\.99,"currency":"USD"\}/)
    }),
    fact("amount", "an amount in fractions of a cent is refused", async ({ shop }) => {
      const lines = [{ ...card, listing: { price: { amount: 1.005, currency: "EUR" } } }]
      await refused(shop.ask("POST /v1/inventory", { lines }), 400, "BAD_REQUEST")
    })
  ])
]
