import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, readAt, readAll, readList, refused, all, at, textAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"
import type { World } from "../world/World.ts"
import { picture, pictures } from "../world/picture.ts"

const merge = "Line merge and split"

const price = { price: { amount: 2, currency: "EUR" } }

/** A line of 6 in "Box", of an account that has the places and tags which the changes name. */
const boxed = async (world: World, more: object = {}) => {
  const me = await world.seller()
  for (const name of ["Box", "Deck"]) await answered(me.ask("POST /v1/inventory/locations", { name }))
  for (const name of ["fair", "old"]) await answered(me.ask("POST /v1/inventory/tags", { name }))
  const [line] = await world.stock(me, { ...card, quantity: 6, location: "Box", tags: ["old"], ...more })
  const lines = async () =>
    (await readAll(me.ask("GET /v1/inventory"), "data.*")).map((each) => [at(each, "quantity"), at(each, "location")])
  return { me, line, lines, path: `/v1/inventory/${textAt(line, "id")}` }
}

/** What a change can say of a part, and what the part then has. */
const parts: ReadonlyArray<readonly [field: string, value: unknown, after?: unknown]> = [
  ["location", "Deck"],
  ["location", null],
  ["condition", "LP"],
  ["finish", "Foil"],
  ["language", "de"],
  ["comment", "bent"],
  ["notes", "mine"],
  ["customId", "part"],
  ["tags", { add: ["fair"] }, ["fair", "old"]],
  ["tags", { set: [] }, []],
  ["location", "Box"]
]

const bulk = "POST /v1/inventory/bulk/update"

/** A part of a line is changed by whatever the change says, and by either operation. */
const split: ReadonlyArray<Fact> = parts.flatMap(([field, value, after = value]) =>
  [false, true].map((isBulk) =>
    fact(merge, `${isBulk ? "an update" : "PATCH"} of 2 of 6 to ${field} ${JSON.stringify(value)}`, async (world) => {
      const { me, path, line } = await boxed(world)
      const change = { count: 2, [field]: value }
      const id = at(line, "id")
      if (isBulk) await answered(me.ask(bulk, { items: [{ inventoryId: id, ...change }] }))
      else await answered(me.ask(`PATCH ${path}`, change))
      const [rest, part, ...others] = await readAll(me.ask("GET /v1/inventory"), "data.*")
      deepEqual([at(rest, "id"), at(rest, "quantity"), at(rest, field)], [id, 4, at(line, field)])
      deepEqual([at(part, "quantity"), at(part, field), others], [2, after, []])
    })
  )
)

/** How lines change, merge and split. */
export const changed: ReadonlyArray<Fact> = [
  fact(merge, "a new line equal to one that is there is added to it", async ({ seller, stock }) => {
    const me = await seller()
    const [first] = await stock(me, { ...card, quantity: 2 })
    const [again] = await stock(me, { ...card, quantity: 3 })
    deepEqual([at(again, "id"), at(again, "quantity")], [at(first, "id"), 5])
  }),
  ...Object.entries({
    productId: 10_010,
    finish: "Foil",
    condition: "LP",
    language: "de",
    customId: "mine",
    listing: price,
    location: "Deck"
  }).map(([key, value]) =>
    fact(merge, `a new line of another ${key} is a line of its own`, async (world) => {
      const { me } = await boxed(world)
      await world.stock(me, card, { ...card, [key]: value })
      deepEqual(await readAll(me.ask("GET /v1/inventory"), "data.*.quantity"), [6, 1, 1])
    })
  ),
  fact(merge, "a new line that merges keeps the comment, notes and tags that are there", async (world) => {
    const { me } = await boxed(world, { comment: "sleeved", notes: "mine" })
    const [line] = await world.stock(me, { ...card, location: "Box", comment: "bent", notes: null, tags: ["fair"] })
    deepEqual(
      ["quantity", "comment", "notes", "tags.0"].map((key) => at(line, key)),
      [7, "sleeved", "mine", "old"]
    )
  }),
  ...split,
  fact(
    merge,
    "a part joins the oldest line that it equals, which keeps what the change does not name",
    async (world) => {
      const { me, path } = await boxed(world, { comment: "sleeved" })
      const [deck] = await world.stock(me, { ...card, location: "Deck", comment: "bent", notes: "mine" })
      await answered(me.ask(`PATCH /v1/inventory/${textAt(deck, "id")}`, { quantity: { set: 2 } }))
      await answered(me.ask(`PATCH /v1/inventory/${textAt(deck, "id")}`, { count: 1, comment: "clean" }))
      const moved = await answered(me.ask(`PATCH ${path}`, { count: 2, location: "Deck", notes: "now" }))
      deepEqual([at(moved, "line.id"), at(moved, "remainder.quantity")], [at(deck, "id"), 4])
      deepEqual(
        ["quantity", "comment", "notes"].map((key) => at(moved, `line.${key}`)),
        [3, "bent", "now"]
      )
    }
  ),
  fact(merge, "a change that leaves product, price and place as they are merges no lines", async (world) => {
    const { lines, me, path } = await boxed(world)
    await answered(me.ask(`PATCH ${path}`, { count: 2, comment: "bent" }))
    await answered(me.ask(`PATCH ${path}`, { comment: "bent", quantity: { adjust: 1 }, location: "Box" }))
    deepEqual(await lines(), [
      [5, "Box"],
      [2, "Box"]
    ])
  }),
  fact(merge, "PATCH with count changes so many units; the rest remains", async ({ withLine }) => {
    const { me, path } = await withLine({ quantity: 5 })
    const split = await answered(me.ask(`PATCH ${path}`, { count: 2, condition: "LP" }))
    deepEqual([at(split, "line.quantity"), at(split, "line.condition")], [2, "LP"])
    deepEqual([at(split, "remainder.quantity"), at(split, "remainder.condition")], [3, "NM"])
  }),
  fact(merge, "PATCH answers line, and null as remainder unless it splits", async ({ withLine }) => {
    const { me, path } = await withLine()
    const changed = await answered(me.ask(`PATCH ${path}`, { comment: "x" }))
    deepEqual([at(changed, "line.comment"), at(changed, "remainder")], ["x", null])
  }),
  fact(merge, "a line that becomes equal to another goes into it, so its id can vanish", async ({ seller, stock }) => {
    const me = await seller()
    const [one, two] = await stock(me, { ...card, quantity: 2 }, { ...card, quantity: 3, condition: "LP" })
    await answered(me.ask(`PATCH /v1/inventory/${textAt(two, "id")}`, { condition: "NM" }))
    const data = await readList(me.ask("GET /v1/inventory"), "data")
    deepEqual(all(data, "*.quantity"), [5])
    ok([at(one, "id"), at(two, "id")].includes(at(data, "0.id")))
  }),
  ...[
    [{ set: 9 }, 9],
    [{ adjust: 2 }, 7],
    [{ adjust: -4 }, 1]
  ].map(([quantity, after]) =>
    fact(merge, `quantity ${JSON.stringify(quantity)} makes 5 units ${String(after)}`, async ({ withLine }) => {
      const { me, path } = await withLine({ quantity: 5 })
      equal(await readAt(me.ask(`PATCH ${path}`, { quantity }), "line.quantity"), after)
    })
  ),
  ...[{ set: 0 }, { set: -1 }, { set: 1.5 }, {}, 5].map((quantity) =>
    fact(merge, `quantity ${JSON.stringify(quantity)} is refused`, async ({ shop, offers }) => {
      await refused(shop.ask(`PATCH /v1/inventory/${offers[3]?.inventoryId}`, { quantity }), 400)
    })
  ),
  fact("GET, PATCH, DELETE /v1/inventory/{inventoryId}", "DELETE answers deleted: true", async ({ withLine }) => {
    const { me, path } = await withLine()
    deepEqual(await answered(me.ask(`DELETE ${path}`, {})), { deleted: true })
  }),
  fact("PUT /v1/inventory/{inventoryId}/media", "1 to 10 pictures, with their sizes", async ({ withLine }) => {
    const { me, path } = await withLine()
    await answered(me.ask(`PUT ${path}/media`, pictures(picture(3, 2), picture(4, 5))))
    const photos = await readAll(me.ask(`GET ${path}`), "photos.*")
    deepEqual(
      photos.map((photo) => [at(photo, "width"), at(photo, "height")]),
      [
        [3, 2],
        [4, 5]
      ]
    )
    equal((await fetch(textAt(photos, "0.url"))).headers.get("content-type"), "image/png")
    await refused(me.ask(`PUT ${path}/media`, pictures()), 400)
    await refused(me.ask(`PUT ${path}/media`, pictures(...Array.from({ length: 11 }, () => picture(1, 1)))), 400)
    await refused(me.ask(`PUT ${path}/media`, pictures(new Blob(["no picture"], { type: "image/png" }))), 400)
  })
]
