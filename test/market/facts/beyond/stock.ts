import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readAll, readList, refused, all, at, textAt, readAt } from "../reading/ask.ts"
import { dateTime, filled, flag, integer, listOf, nullOr, object, oneOf, slug, text } from "../reading/kinds.ts"
import { box, card, slab } from "../world/trade.ts"
import { changed } from "./lines.ts"
import type { World } from "../world/World.ts"

const price = { price: { amount: 2, currency: "EUR" } }

/** Lines that differ in what a filter may ask for; the customId is the name of the line. */
const stocked = once(async ({ seller, stock }) => {
  const me = await seller()
  for (const name of ["show", "old"]) await answered(me.ask("POST /v1/inventory/tags", { name }))
  await answered(me.ask("POST /v1/inventory/locations", { name: "Box 1" }))
  await stock(
    me,
    { ...card, customId: "a-1", comment: "Pack fresh corners" },
    { ...card, customId: "a-2", finish: "Foil", tags: ["show"], location: "Box 1", notes: "mine" },
    { ...slab, customId: "b-1", tags: ["old"] },
    { ...card, customId: "b-2", quantity: 4, listing: price },
    { ...card, productId: 10_010 }
  )
  return me
})
const line = fieldsOf(
  "a line",
  async (world) => await readList((await stocked(world)).ask("GET /v1/inventory"), "data")
)

const filters: ReadonlyArray<readonly [query: string, names: ReadonlyArray<string | null>]> = [
  ["productId=10007&productId=10010", ["a-1", "a-2", "b-1", "b-2", null]],
  ["customIdPrefix=a-", ["a-1", "a-2"]],
  ["customIdContains=-2", ["a-2", "b-2"]],
  ["commentContains=fresh", ["a-1"]],
  ["location=Box 1", ["a-2"]],
  ["tags=show", ["a-2"]],
  ["tags=show&tags=old", ["a-2", "b-1"]],
  ["customIdPrefix=a-&finish=Foil&tags=show", ["a-2"]],
  ["customIdPrefix=a-&forSale=true", []]
]

const badLines: ReadonlyArray<readonly [code: string, line: object]> = [
  ["PRODUCT_NOT_FOUND", { ...card, productId: 1 }],
  ["INVALID_LANGUAGE", { ...card, language: "xx" }],
  ["INVALID_FINISH", { ...card, finish: "Etched" }],
  ["INVALID_QUANTITY", { ...card, quantity: 0 }],
  ["INVALID_QUANTITY", { ...card, quantity: 1.5 }],
  ["CONDITION_REQUIRED", { ...card, condition: null }],
  ["INVALID_IDENTITY", { ...slab, condition: "NM" }],
  ["INVALID_IDENTITY", { ...box, condition: "NM" }],
  ["CUSTOM_ID_CONFLICT", { ...card, customId: "a-1" }],
  ["LOCATION_NOT_FOUND", { ...card, location: "none" }],
  ["TAG_NOT_FOUND", { ...card, tags: ["none"] }]
]

const ofErrors: ReadonlyArray<Fact> = badLines.map(([code, bad], number) =>
  fact("", `bad line ${number} is refused with ${code} and its index, the others are made`, async (world) => {
    const me = await stocked(world)
    const good = { ...card, customId: `good-${code}` }
    const made = await answered(me.ask("POST /v1/inventory", { lines: [good, bad] }))
    deepEqual(all(made, "created.*.customId"), [good.customId])
    deepEqual(all(made, "errors.*.index"), [1])
    deepEqual(all(made, "errors.*.code"), [code])
    ok(object.is(at(made, "errors.0.data")))
    await answered(me.ask(`DELETE /v1/inventory/${textAt(made, "created.0.id")}`, {}))
  })
)

const operation = "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing"

const eur = (amount: number) => ({ price: { amount, currency: "EUR" } })
const listable = async ({ withLine }: World, more: object = {}) => {
  const { me, path } = await withLine({ quantity: 5, ...more })
  const lines = async () =>
    (await readAll(me.ask("GET /v1/inventory"), "data.*")).map((each) => [
      at(each, "quantity"),
      at(each, "listing.price.amount") ?? null
    ])
  return { me, path: `${path}/listing`, lines }
}

/** How a line is put on sale, repriced and taken off. */
const listed: ReadonlyArray<Fact> = [
  fact(operation, "POST puts the whole line on sale", async (world) => {
    const { me, path, lines } = await listable(world)
    equal(await readAt(me.ask(`POST ${path}`, eur(3)), "line.forSale"), true)
    deepEqual(await lines(), [[5, 3]])
  }),
  fact(operation, "POST with quantity puts so many on sale", async (world) => {
    const { me, path, lines } = await listable(world)
    await answered(me.ask(`POST ${path}`, { ...eur(3), quantity: 2 }))
    deepEqual((await lines()).toSorted(), [
      [2, 3],
      [3, null]
    ])
  }),
  fact(operation, "PATCH changes the price", async (world) => {
    const { me, path, lines } = await listable(world, { listing: eur(3) })
    await answered(me.ask(`PATCH ${path}`, eur(2.75)))
    deepEqual(await lines(), [[5, 2.75]])
  }),
  fact(operation, "DELETE takes it off sale and leaves its units in stock", async (world) => {
    const { me, path, lines } = await listable(world, { listing: eur(3) })
    await answered(me.ask(`DELETE ${path}`, {}))
    deepEqual(await lines(), [[5, null]])
    await refused(me.ask(`PATCH ${path}`, eur(1)), 404, "NOT_FOUND")
  }),
  fact(operation, "DELETE with quantity takes so many off sale", async (world) => {
    const { me, path, lines } = await listable(world, { listing: eur(3) })
    await answered(me.ask(`DELETE ${path}`, { quantity: 1 }))
    deepEqual((await lines()).toSorted(), [
      [1, null],
      [4, 3]
    ])
  }),
  fact("GET /v1/listings", "the same lines, those for sale alone", async (world) => {
    const { me } = await listable(world, { listing: eur(3), customId: "sold" })
    await world.stock(me, { ...card, condition: "LP" })
    const [listings, lines] = [
      await answered(me.ask("GET /v1/listings")),
      await answered(me.ask("GET /v1/inventory?forSale=true"))
    ]
    deepEqual(listings, lines)
    deepEqual(all(listings, "data.*.customId"), ["sold"])
  }),
  ...[-1, 1.001, "3"].map((amount) =>
    fact(operation, `a price of ${JSON.stringify(amount)} is refused`, async (world) => {
      const { me, path } = await listable(world)
      const data = await refused(me.ask(`POST ${path}`, { price: { amount, currency: "EUR" } }), 400, "BAD_REQUEST")
      equal(at(data, "field"), "price.amount")
    })
  )
]

export const stock = section("beyond", "10. Inventory and listings", [
  ...line(filled, "id finish language", "Line"),
  ...line(nullOr(filled), "customId location", "Line"),
  ...line(nullOr(text), "comment notes", "Line"),
  ...line(listOf(filled), "tags", "Line"),
  ...line(integer, "productId quantity", "Line"),
  ...line(slug, "game", "Line"),
  ...line(nullOr(oneOf("NM", "LP", "MP", "HP", "DMG")), "condition", "Line"),
  ...line(nullOr(object), "graded listing", "Line"),
  ...line(flag, "forSale", "Line"),
  ...line(listOf(object), "photos", "Line"),
  ...line(dateTime, "updatedAt", "Line"),
  fact("GET /v1/inventory", "it is ordered by line, and always current", async (world) => {
    const { ask } = await stocked(world)
    const ids = (await readAll(ask("GET /v1/inventory"), "data.*.id")).map(String)
    deepEqual(ids, ids.toSorted())
  }),
  ...filters.map(([query, names]) =>
    fact("List filters", `?${query} finds ${names.length === 0 ? "nothing" : names.join(", ")}`, async (world) => {
      const { ask } = await stocked(world)
      deepEqual(await readAll(ask(`GET /v1/inventory?${encodeURI(query)}`), "data.*.customId"), names)
    })
  ),
  ...[
    ["201 productIds", Array.from({ length: 201 }, (_, id) => `productId=${id}`).join("&")],
    ["51 tags", Array.from({ length: 51 }, (_, id) => `tags=${id}`).join("&")],
    ["a location of 101 characters", `location=${"x".repeat(101)}`]
  ].map(([says, query]) =>
    fact("List filters", `${says} are refused`, async (world) => {
      await refused((await stocked(world)).ask(`GET /v1/inventory?${query}`), 400)
    })
  ),
  ...[0, 1001].map((count) =>
    fact("POST /v1/inventory", `${count} lines are refused`, async ({ shop }) => {
      await refused(shop.ask("POST /v1/inventory", { lines: Array.from({ length: count }, () => card) }), 400)
    })
  ),
  ...ofErrors,
  fact("POST /v1/inventory/search", "an offset list, to an offset of 10,000", async (world) => {
    const { ask } = await stocked(world)
    const page = await answered(ask("POST /v1/inventory/search", { limit: 2, offset: 1 }))
    deepEqual(at(page, "pagination"), { offset: 1, limit: 2, total: 5, hasMore: true })
    await answered(ask("POST /v1/inventory/search", { offset: 10_000 }))
    await refused(ask("POST /v1/inventory/search", { offset: 10_001 }), 400)
  }),
  fact("POST /v1/inventory/search", "it finds lines by their product and by themselves", async (world) => {
    const { ask } = await stocked(world)
    const names = async (body: object) => await readAll(ask("POST /v1/inventory/search", body), "data.*.customId")
    deepEqual(await names({ name: "kindled bellows" }), [null])
    deepEqual(await names({ name: "ashen warden", graded: true }), ["b-1"])
    deepEqual(await names({ tags: { op: "or", values: ["old", "show"] } }), ["a-2", "b-1"])
    deepEqual(await names({ tags: { op: "and", values: ["old", "show"] } }), [])
    deepEqual(await names({ location: { op: "or", values: ["Box 1"] } }), ["a-2"])
  }),
  ...["comment", "notes"].map((key) =>
    fact("Line", `${key} is at most 2000 characters`, async (world) => {
      const { ask } = await world.seller()
      await answered(ask("POST /v1/inventory", { lines: [{ ...card, [key]: "🂡".repeat(2000) }] }))
      await refused(ask("POST /v1/inventory", { lines: [{ ...card, [key]: "x".repeat(2001) }] }), 400)
    })
  ),
  ...["PSA", "BGS", "CGC", "SGC", "ACE", "TAG", "AGS", "GMA", "HGA", "PCA", "CCC"].map((gradingService) =>
    fact("", `${gradingService} grades cards`, async ({ shop, stock }) => {
      const [made] = await stock(shop, { ...slab, graded: { gradingService, grade: "10" } })
      equal(at(made, "graded.gradingService"), gradingService)
    })
  ),
  fact("", "there are eleven grading services; another one is refused on a write", async ({ shop }) => {
    await refused(
      shop.ask("POST /v1/inventory", { lines: [{ ...slab, graded: { gradingService: "ME", grade: "10" } }] }),
      400
    )
  }),
  ...changed,
  ...listed,
  untried("POST /v1/inventory/search", "it may lag some seconds", "that of the sandbox does not")
])
