import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, untried } from "../Fact.ts"
import { answered, refused, all, at, listAt, numberAt } from "../reading/ask.ts"
import type { World } from "../world/World.ts"

const search = async ({ ask }: World, body: unknown, query = "?limit=200") =>
  answered(ask(`POST /v1/products/search${query}`, body))

/** A filter finds exactly the products of which this is so. */
const finds = (rows: string, says: string, body: object, isSo: (product: unknown) => boolean): Fact =>
  fact(rows, says, async (world) => {
    const found = await search(world, { gameFilters: { game: "tidewrack" }, ...body })
    const expected = world.products.filter((each) => at(each, "gameId") === "tidewrack" && isSo(each))
    ok(expected.length > 0)
    equal(numberAt(found, "pagination.total"), expected.length)
    const ids = new Set(all(expected, "*.id"))
    ok(listAt(found, "data").every((each) => ids.has(at(each, "id"))))
  })
const filtered = (filter: object) => ({ gameFilters: { game: "tidewrack", filters: filter } })
const cost = (product: unknown) => Number(at(product, "attributes.cost"))
const isCard = (product: unknown) => at(product, "productType") === "card"

const refusals: ReadonlyArray<readonly [says: string, body: object]> = [
  ["listings together with ids of a source", { listings: {}, sourceEur: [1] }],
  ["listings together with sortBy releaseDate", { listings: {}, sortBy: "releaseDate" }],
  ["no productIds", { productIds: [] }],
  ["201 productIds", { productIds: Array.from({ length: 201 }, (_, id) => id) }],
  ["an empty name", { name: "" }],
  ["a sort that is none", { sortBy: "price" }],
  ["a product type that is none", { productType: { op: "or", values: ["box"] } }]
]

export const searches: ReadonlyArray<Fact> = [
  fact("offset, limit", "both are taken from the body, too", async ({ ask }) => {
    const page = await answered(ask("POST /v1/products/search", { offset: 3, limit: 2 }))
    deepEqual([at(page, "pagination.offset"), at(page, "pagination.limit"), listAt(page, "data").length], [3, 2, 2])
  }),
  finds("name", "name: every product found has its words", { name: "kraken" }, (it) =>
    /kraken/i.test(String(at(it, "name")))
  ),
  fact("name", "name: the most relevant one first", async (world) => {
    equal(at(await search(world, { name: "Ashen Warden" }), "data.0.name"), "Ashen Warden")
  }),
  finds(
    "printNumber",
    "printNumber is exact, ignoring case",
    { printNumber: "12" },
    (it) => at(it, "printNumber") === "12"
  ),
  fact("nameSlug", "nameSlug is exact, ignoring case", async (world) => {
    const slug = "ashen-warden-emberfall-1"
    deepEqual(all(await search(world, { nameSlug: slug.toUpperCase() }), "data.*.nameSlug"), [slug])
    deepEqual(listAt(await search(world, { nameSlug: slug.slice(0, -2) }), "data"), [])
  }),
  untried("nameSlug", "it finds every printing across expansions", "in the specification, it is unique in its game"),
  fact("productIds, expansionId", "productIds are numbers or digits, any of which is found", async (world) => {
    const found = await search(world, { productIds: [10_010, "10007", 99] })
    deepEqual(all(found, "data.*.id").toSorted(), [10_007, 10_010])
  }),
  fact("productIds, expansionId", "expansionId finds the products of any of these expansions", async (world) => {
    const [one, two] = [...new Set(all(world.products, "*.expansionId").filter((id) => id !== undefined))]
    const found = await search(world, { expansionId: [one, String(two)] })
    deepEqual(new Set(all(found, "data.*.expansionId")), new Set([one, two]))
  }),
  ...["sourceEur", "sourceUsd"].map((source) =>
    fact("source ids", `${source} finds the products that have one of these ids`, async (world) => {
      const having = world.products.filter((each) => at(each, `externalIds.${source}`) !== undefined).slice(5, 7)
      const found = await search(world, { [source]: all(having, `*.externalIds.${source}.0.id`) })
      ok(all(having, "*.id").every((id) => all(found, "data.*.id").includes(id)))
      deepEqual(listAt(await search(world, { [source]: [1] }), "data"), [])
    })
  ),
  finds("productType", "productType finds cards", { productType: { op: "or", values: ["card"] } }, isCard),
  finds(
    "productType",
    "productType of both finds all",
    { productType: { op: "or", values: ["card", "sealed"] } },
    () => true
  ),
  finds(
    "productCategory",
    "productCategory finds its sealed products",
    { productCategory: "booster_pack" },
    (it) => at(it, "productCategory") === "booster_pack"
  ),
  finds("gameFilters", "game finds its products alone", {}, () => true),
  finds(
    "gameFilters",
    "an attribute is one of these values",
    filtered({ kind: { op: "or", values: ["Ally"] } }),
    (it) => at(it, "attributes.kind") === "Ally"
  ),
  finds("gameFilters", "an attribute is =", filtered({ cost: { op: "=", value: 3 } }), (it) => cost(it) === 3),
  finds("gameFilters", "an attribute is >", filtered({ cost: { op: ">", value: 3 } }), (it) => cost(it) > 3),
  finds("gameFilters", "an attribute is <", filtered({ cost: { op: "<", value: 3 } }), (it) => cost(it) < 3),
  finds(
    "gameFilters",
    "an attribute is between min and max",
    filtered({ cost: { min: 2, max: 4 } }),
    (it) => cost(it) >= 2 && cost(it) <= 4
  ),
  finds(
    "gameFilters",
    "an attribute has a value",
    filtered({ kind: { value: "Ally" } }),
    (it) => at(it, "attributes.kind") === "Ally"
  ),
  fact("listings", "inStock finds only what a listing offers, and {} filters nothing", async (world) => {
    const stocked = await search(world, { listings: { inStock: true } })
    ok(all(stocked, "data.*.availability.inStock").every((each) => each === true))
    equal(
      at(await search(world, { listings: {} }, "?limit=1"), "pagination.total"),
      at(await search(world, {}, "?limit=1"), "pagination.total")
    )
    ok(numberAt(stocked, "pagination.total") < world.products.length)
  }),
  fact("listings", "a listing that is not shipped to deliveryCountry does not count", async (world) => {
    const count = async (listings: object) =>
      numberAt(await search(world, { productIds: [10_007], listings }), "data.0.availability.listingCount")
    ok((await count({ deliveryCountry: "FR" })) < (await count({})))
    equal(await count({ deliveryCountry: "JP" }), 0)
  }),
  ...["name", "releaseDate"].map((sortBy) =>
    fact("sortBy", `sortBy ${sortBy} goes up, and down with sortDirection desc`, async (world) => {
      const values = async (sortDirection?: string) =>
        all(
          await search(world, {
            productType: { op: "or", values: ["sealed"] },
            sortBy,
            ...(sortDirection === undefined ? {} : { sortDirection })
          }),
          `data.*.${sortBy}`
        )
          .filter((value) => value !== undefined && /^[ -~]+$/.test(String(value)))
          .map((value) => String(value).toLowerCase())
      const up = await values()
      deepEqual(up, up.toSorted())
      deepEqual(await values("asc"), up)
      deepEqual((await values("desc")).toReversed(), up)
    })
  ),
  fact("sortBy", "by default, print number inside an expansion, else name", async (world) => {
    const numbers = all(await search(world, { expansionId: [301] }), "data.*.printNumber")
      .filter((it) => it !== undefined)
      .map(Number)
    deepEqual(
      numbers,
      numbers.toSorted((one, two) => one - two)
    )
    const names = all(await search(world, { gameFilters: { game: "tidewrack" } }), "data.*.name")
      .map((name) => String(name).toLowerCase())
      .filter((name) => /^[ -~]+$/.test(name))
    deepEqual(names, names.toSorted())
  }),
  ...refusals.map(([says, body]) =>
    fact("", `${says}: refused`, async ({ ask }) => {
      await refused(ask("POST /v1/products/search", body), 400, "BAD_REQUEST")
    })
  )
]
