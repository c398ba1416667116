import { deepEqual, equal } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, readAll, readAt, refused, all, at, textAt } from "../reading/ask.ts"
import { card } from "../world/trade.ts"
import type { World } from "../world/World.ts"

const operation = "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing"

const eur = (amount: number) => ({ price: { amount, currency: "EUR" } })
const withLine = async ({ seller, stock }: World, more: object = {}) => {
  const me = await seller()
  const [line] = await stock(me, { ...card, quantity: 5, ...more })
  const lines = async () =>
    (await readAll(me.ask("GET /v1/inventory"), "data.*")).map((each) => [
      at(each, "quantity"),
      at(each, "listing.price.amount") ?? null
    ])
  return { me, path: `/v1/inventory/${textAt(line, "id")}/listing`, lines }
}

/** How a line is put on sale, repriced and taken off. */
export const listed: ReadonlyArray<Fact> = [
  fact(operation, "POST puts the whole line on sale", async (world) => {
    const { me, path, lines } = await withLine(world)
    equal(await readAt(me.ask(`POST ${path}`, eur(3)), "line.forSale"), true)
    deepEqual(await lines(), [[5, 3]])
  }),
  fact(operation, "POST with quantity puts so many on sale", async (world) => {
    const { me, path, lines } = await withLine(world)
    await answered(me.ask(`POST ${path}`, { ...eur(3), quantity: 2 }))
    deepEqual((await lines()).toSorted(), [
      [2, 3],
      [3, null]
    ])
  }),
  fact(operation, "PATCH changes the price", async (world) => {
    const { me, path, lines } = await withLine(world, { listing: eur(3) })
    await answered(me.ask(`PATCH ${path}`, eur(2.75)))
    deepEqual(await lines(), [[5, 2.75]])
  }),
  fact(operation, "DELETE takes it off sale and leaves its units in stock", async (world) => {
    const { me, path, lines } = await withLine(world, { listing: eur(3) })
    await answered(me.ask(`DELETE ${path}`, {}))
    deepEqual(await lines(), [[5, null]])
    await refused(me.ask(`PATCH ${path}`, eur(1)), 404, "NOT_FOUND")
  }),
  fact(operation, "DELETE with quantity takes so many off sale", async (world) => {
    const { me, path, lines } = await withLine(world, { listing: eur(3) })
    await answered(me.ask(`DELETE ${path}`, { quantity: 1 }))
    deepEqual((await lines()).toSorted(), [
      [1, null],
      [4, 3]
    ])
  }),
  fact("GET /v1/listings", "the same lines, those for sale alone", async (world) => {
    const { me } = await withLine(world, { listing: eur(3), customId: "sold" })
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
      const { me, path } = await withLine(world)
      const data = await refused(me.ask(`POST ${path}`, { price: { amount, currency: "EUR" } }), 400, "BAD_REQUEST")
      equal(at(data, "field"), "price.amount")
    })
  )
]
