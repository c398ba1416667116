import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, once } from "../Fact.ts"
import { answered, readAll, refused, all, at, listAt } from "../reading/ask.ts"
import { picture, pictures } from "../world/picture.ts"
import { card } from "../world/trade.ts"

const price = { price: { amount: 2, currency: "EUR" } }

/** A line with three pictures, and one of somebody else. */
const photographed = once(async ({ withLine }) => {
  const [mine, other] = [await withLine(), await withLine()]
  for (const { me, path } of [mine, other])
    await answered(me.ask(`PUT ${path}/media`, pictures(picture(1, 1), picture(2, 2), picture(3, 3))))
  const photosOf = ({ me, path } = mine) => readAll(me.ask(`GET ${path}`), "photos.*.url")
  return { ...mine, other, photosOf }
})

/** Lines with comments and customIds to be found by. */
const stocked = once(async ({ seller, stock }) => {
  const me = await seller()
  for (const name of ["Box 1", "Box 2", "Box 3"]) await answered(me.ask("POST /v1/inventory/locations", { name }))
  await stock(
    me,
    { ...card, customId: "Shelf-A", comment: "Light scratch on the back", quantity: 2, location: "Box 1" },
    {
      ...card,
      customId: "shelf-b",
      comment: "On the back: a light dent",
      quantity: 5,
      location: "Box 2",
      listing: price
    },
    {
      ...card,
      customId: "Other",
      comment: "Background story",
      quantity: 9,
      location: "Box 3",
      listing: { price: { amount: 7.5, currency: "EUR" } }
    }
  )
  return me
})
const found = (query: string, names: ReadonlyArray<string>) =>
  fact("filters", `?${query} finds ${names.length === 0 ? "nothing" : names.join(", ")}`, async (world) => {
    const page = await answered((await stocked(world)).ask(`GET /v1/inventory?${encodeURI(query)}`))
    deepEqual(all(page, "data.*.customId"), names)
  })
const searched = (says: string, body: object, names: ReadonlyArray<string>) =>
  fact("inventory search", `${says}: ${JSON.stringify(body)} finds ${names.join(", ")}`, async (world) => {
    const page = await answered((await stocked(world)).ask("POST /v1/inventory/search", body))
    deepEqual(all(page, "data.*.customId"), names)
  })

/** What the live service does with lines: photos, codes, filters. */
export const lines: ReadonlyArray<Fact> = [
  fact("photos", "PATCH takes the addresses to keep, in their order", async (world) => {
    const { me, path, photosOf } = await photographed(world)
    const [first, , third] = await photosOf()
    await answered(me.ask(`PATCH ${path}`, { photos: [third, first] }))
    deepEqual(await photosOf(), [third, first])
  }),
  fact("photos", "a foreign address is PHOTO_NOT_FOUND, and keeps what there is", async (world) => {
    const { me, other, path, photosOf } = await photographed(world)
    const before = await photosOf()
    const { json, status } = await me.ask(`PATCH ${path}`, { photos: [before[0], (await photosOf(other))[0]] })
    ok(status >= 400 && status < 500)
    equal(at(json, "code"), "PHOTO_NOT_FOUND")
    deepEqual(await photosOf(), before)
  }),
  fact("photos", "[] removes all", async (world) => {
    const { me, path, photosOf } = await photographed(world)
    await answered(me.ask(`PATCH ${path}`, { photos: [] }))
    deepEqual(await photosOf(), [])
  }),
  ...(
    [
      ["INVALID_FINISH", { finish: "Etched" }, ["Standard", "Foil"]],
      ["INVALID_LANGUAGE", { language: "ja" }, ["en", "de"]],
      ["INVALID_LANGUAGE", { language: null }, ["en", "de"]]
    ] as const
  ).map(([code, body, allowed]) =>
    fact("codes of PATCH", `${JSON.stringify(body)} of a line is ${code}`, async ({ withLine }) => {
      const { me, path } = await withLine()
      const data = await refused(me.ask(`PATCH ${path}`, body), 400, code)
      deepEqual(data, { ...body, allowed })
    })
  ),
  fact("no seller", "a line without a listing needs no active seller account", async (world) => {
    const { party, stock, seller, control } = world
    await stock(await party(), card)
    const suspended = await seller()
    await answered(control(`PATCH /sandbox/accounts/${suspended.id}`, { status: "suspended" }))
    await stock(suspended, card)
    const listed = await (await party()).ask("POST /v1/inventory", { lines: [{ ...card, listing: price }] })
    ok(listed.status === 403 || listAt(listed.json, "errors").length === 1)
  }),
  fact("no seller", "a card's line needs a language", async ({ shop }) => {
    for (const language of [undefined, null]) {
      const made = await answered(shop.ask("POST /v1/inventory", { lines: [{ ...card, language }] }))
      deepEqual(all(made, "errors.*.code"), ["INVALID_LANGUAGE"])
    }
  }),
  found("commentContains=back light", ["Shelf-A", "shelf-b"]),
  found("commentContains=story", ["Other"]),
  found("customId=SHELF-A", ["Shelf-A"]),
  found("customIdPrefix=SHELF", ["Shelf-A", "shelf-b"]),
  found("customIdContains=ELF-B", ["shelf-b"]),
  searched("locations by or", { location: { op: "or", values: ["Box 1", "Box 3"] } }, ["Shelf-A", "Other"]),
  searched("quantity as a range", { quantity: { min: 5, max: 5 } }, ["shelf-b"]),
  searched("listingPrice as a range", { listingPrice: { min: 2, max: 2 } }, ["shelf-b"]),
  fact("inventory search", "50 locations are taken, 51 refused", async (world) => {
    const { ask } = await stocked(world)
    const values = (count: number) => ({
      location: { op: "or", values: Array.from({ length: count }, (_, each) => `Box ${each}`) }
    })
    await answered(ask("POST /v1/inventory/search", values(50)))
    await refused(ask("POST /v1/inventory/search", values(51)), 400)
  })
]
