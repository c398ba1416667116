import assert from "node:assert/strict"
import { fact, type Fact } from "../Fact.ts"
import { answered, refused } from "../reading/ask.ts"
import { all, at, textAt } from "../reading/paths.ts"
import { card } from "../world/trade.ts"
import type { World } from "../world/World.ts"

const eur = (amount: number) => ({ price: { amount, currency: "EUR" } })
const withLine = async ({ seller, stock }: World, more: object = {}) => {
  const me = await seller()
  const [line] = await stock(me, { ...card, quantity: 5, ...more })
  const lines = async () =>
    all(await answered(me.ask("GET /v1/inventory")), "data.*").map((each) => [
      at(each, "quantity"),
      at(each, "listing.price.amount") ?? null
    ])
  return { me, path: `/v1/inventory/${textAt(line, "id")}/listing`, lines }
}

/** How a line is put on sale, repriced and taken off. */
export const listed: ReadonlyArray<Fact> = [
  fact("POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing", "POST puts the whole line on sale", async (world) => {
    const { me, path, lines } = await withLine(world)
    assert.equal(at(await answered(me.ask(`POST ${path}`, eur(3))), "line.forSale"), true)
    assert.deepEqual(await lines(), [[5, 3]])
  }),
  fact(
    "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing",
    "POST with quantity puts so many on sale",
    async (world) => {
      const { me, path, lines } = await withLine(world)
      await answered(me.ask(`POST ${path}`, { ...eur(3), quantity: 2 }))
      assert.deepEqual((await lines()).toSorted(), [
        [2, 3],
        [3, null]
      ])
    }
  ),
  fact("POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing", "PATCH changes the price", async (world) => {
    const { me, path, lines } = await withLine(world, { listing: eur(3) })
    await answered(me.ask(`PATCH ${path}`, eur(2.75)))
    assert.deepEqual(await lines(), [[5, 2.75]])
  }),
  fact(
    "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing",
    "DELETE takes it off sale and leaves its units in stock",
    async (world) => {
      const { me, path, lines } = await withLine(world, { listing: eur(3) })
      await answered(me.ask(`DELETE ${path}`, {}))
      assert.deepEqual(await lines(), [[5, null]])
    }
  ),
  fact(
    "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing",
    "DELETE with quantity takes so many off sale",
    async (world) => {
      const { me, path, lines } = await withLine(world, { listing: eur(3) })
      await answered(me.ask(`DELETE ${path}`, { quantity: 1 }))
      assert.deepEqual((await lines()).toSorted(), [
        [1, null],
        [4, 3]
      ])
    }
  ),
  fact("GET /v1/listings", "the same lines, those for sale alone", async (world) => {
    const { me } = await withLine(world, { listing: eur(3), customId: "sold" })
    await world.stock(me, { ...card, condition: "LP" })
    const [listings, lines] = [
      await answered(me.ask("GET /v1/listings")),
      await answered(me.ask("GET /v1/inventory?forSale=true"))
    ]
    assert.deepEqual(listings, lines)
    assert.deepEqual(all(listings, "data.*.customId"), ["sold"])
  }),
  ...[-1, 1.001, "3"].map((amount) =>
    fact(
      "POST, PATCH, DELETE /v1/inventory/{inventoryId}/listing",
      `a price of ${JSON.stringify(amount)} is refused`,
      async (world) => {
        const { me, path } = await withLine(world)
        await refused(me.ask(`POST ${path}`, { price: { amount, currency: "EUR" } }), 400)
      }
    )
  )
]
