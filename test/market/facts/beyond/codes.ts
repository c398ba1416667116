import { deepEqual, ok } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, refused, at, textAt } from "../reading/ask.ts"
import { card, type Party } from "../world/trade.ts"
import type { World } from "../world/World.ts"

const price = { price: { amount: 10, currency: "EUR" } }
const lineOf = async ({ stock }: World, me: Party, more: object = {}) =>
  `/v1/inventory/${textAt((await stock(me, { ...card, quantity: 3, ...more }))[0], "id")}`
const bigger = (size: number) => new Uint8Array(size)

/** A form with pictures. */
const pictures = (...files: ReadonlyArray<Uint8Array<ArrayBuffer> | string>) => {
  const form = new FormData()
  for (const [place, file] of files.entries())
    form.append("files", new Blob([file], { type: "image/png" }), `${place}.png`)
  return form
}

/** The codes of single operations, each with a request that draws it. */
export const codes: ReadonlyArray<Fact> = [
  fact("400", "INVALID_COUNT: units of a line are split off, and nothing of them changes", async (world) => {
    const me = await world.seller()
    const line = await lineOf(world, me)
    for (const body of [{ count: 1 }, { count: 1, quantity: { set: 2 }, condition: "LP" }])
      await refused(me.ask(`PATCH ${line}`, body), 400, "INVALID_COUNT")
  }),
  fact("400", "UNSUPPORTED_CONTENT_TYPE: a body that is not JSON by its header", async ({ ask }) => {
    const headers = { "content-type": "text/plain" }
    await refused(ask("POST /v1/products/search", "{}", headers), 400, "UNSUPPORTED_CONTENT_TYPE")
  }),
  fact("403", "SELLER_ACCOUNT_NOT_ACTIVE: a suspended seller cannot list", async (world) => {
    const me = await world.seller()
    const line = await lineOf(world, me)
    await answered(world.control(`PATCH /sandbox/accounts/${me.id}`, { status: "suspended" }))
    await refused(me.ask(`POST ${line}/listing`, price), 403, "SELLER_ACCOUNT_NOT_ACTIVE")
  }),
  fact("404", "NOT_FOUND: data names the id", async ({ shop }) => {
    const data = await refused(shop.ask("GET /v1/inventory/none"), 404, "NOT_FOUND")
    ok(JSON.stringify(data).includes("none"))
  }),
  fact("404", "WALLET_NOT_FOUND: an account that does not sell has no balance", async ({ party }) => {
    await refused((await party()).ask("GET /v1/account/balance"), 404, "WALLET_NOT_FOUND")
  }),
  fact("409", "CONFLICT: a customId that another line has", async (world) => {
    const me = await world.seller()
    await lineOf(world, me, { customId: "taken" })
    await refused(
      me.ask(`PATCH ${await lineOf(world, me, { condition: "LP" })}`, { customId: "taken" }),
      409,
      "CONFLICT"
    )
  }),
  fact("409", "INSUFFICIENT_QUANTITY: fewer units are there than are to be taken away", async (world) => {
    const me = await world.seller()
    const line = await lineOf(world, me)
    const expected = { inventoryId: line.split("/").at(-1), available: 3, requested: 4 }
    for (const [request, body] of [
      [`PATCH ${line}`, { quantity: { adjust: -4 } }],
      [`PATCH ${line}`, { count: 4, condition: "LP" }],
      [`POST ${line}/listing`, { ...price, quantity: 4 }]
    ] as const)
      deepEqual(await refused(me.ask(request, body), 409, "INSUFFICIENT_QUANTITY"), expected)
  }),
  fact("409", "ALREADY_LISTED: a listed line is listed again", async (world) => {
    const me = await world.seller()
    await refused(me.ask(`POST ${await lineOf(world, me, { listing: price })}/listing`, price), 409, "ALREADY_LISTED")
  }),
  fact("409", "INVALID_STATUS: a completed order is not refunded", async ({ shop, byStatus }) => {
    const order = byStatus["completed"]?.orderNumber
    await refused(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1 }), 409, "INVALID_STATUS")
  }),
  fact("409", "REFUND_IN_PROGRESS: a second refund while the first one is on its way", async ({ ordered, shop }) => {
    const path = `POST /v1/sales/${await ordered("shipped")}/refunds`
    await answered(shop.ask(path, { amount: 1 }))
    await refused(shop.ask(path, { amount: 1 }), 409, "REFUND_IN_PROGRESS")
  }),
  fact("409", "AMOUNT_TOO_HIGH: data says what is left, maxAllowed", async ({ ordered, shop, saleOf }) => {
    const order = await ordered("shipped")
    const data = await refused(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1000 }), 409, "AMOUNT_TOO_HIGH")
    const whole =
      Number(at(await saleOf(order), "subtotal.amount")) + Number(at(await saleOf(order), "shippingAmount.amount"))
    ok(Number(at(data, "maxAllowed")) <= whole && Number(at(data, "maxAllowed")) > whole - 0.02)
  }),
  fact("409", "NOT_A_SELLER: an account that does not sell has no vacation", async ({ party }) => {
    const { ask } = await party()
    await refused(ask("POST /v1/account/vacation", { enabled: true }), 409, "NOT_A_SELLER")
    await refused(ask("GET /v1/account/vacation"), 409, "NOT_A_SELLER")
  }),
  fact("409", "INVALID_TRANSITION: data says from and to", async ({ control, seller, step, byStatus }) => {
    const me = await seller()
    await answered(control(`PATCH /sandbox/accounts/${me.id}`, { status: "banned" }))
    const data = await refused(me.ask("POST /v1/account/vacation", { enabled: true }), 409, "INVALID_TRANSITION")
    deepEqual(data, { from: "banned", to: "paused" })
    const order = byStatus["completed"]?.orderNumber ?? ""
    const moved = await refused(step(order, "shipped"), 409, "INVALID_TRANSITION")
    deepEqual(moved, { from: "completed", to: "shipped" })
  }),
  fact("409", "TRACKING_NUMBER_REQUIRED: a tracked parcel is sent without a number", async ({ ordered, shop }) => {
    const path = `POST /v1/sales/${await ordered("pending_shipment")}/mark-shipped`
    await refused(shop.ask(path, {}), 409, "TRACKING_NUMBER_REQUIRED")
  }),
  fact("413", "PAYLOAD_TOO_LARGE: data says maxBytes and receivedBytes", async (world) => {
    const me = await world.seller()
    const form = pictures(bigger(10 * 1024 * 1024 + 1))
    const data = await refused(me.ask(`PUT ${await lineOf(world, me)}/media`, form), 413, "PAYLOAD_TOO_LARGE")
    ok(Number(at(data, "receivedBytes")) > Number(at(data, "maxBytes")))
  }),
  fact("422", "CURRENCY_MISMATCH: a price that is not in the seller's currency", async (world) => {
    const me = await world.seller()
    const dollars = { price: { amount: 10, currency: "USD" } }
    const data = await refused(me.ask(`POST ${await lineOf(world, me)}/listing`, dollars), 422, "CURRENCY_MISMATCH")
    deepEqual(data, { provided: "USD", expected: "EUR" })
  }),
  fact("422", "LOCATION_NOT_FOUND: a location that was not made", async (world) => {
    const me = await world.seller()
    await refused(me.ask(`PATCH ${await lineOf(world, me)}`, { location: "none" }), 422, "LOCATION_NOT_FOUND")
  }),
  fact("422", "TAG_NOT_FOUND: a tag that was not made", async (world) => {
    const me = await world.seller()
    await refused(me.ask(`PATCH ${await lineOf(world, me)}`, { tags: { add: ["none"] } }), 422, "TAG_NOT_FOUND")
  }),
  fact("422", "UNPROCESSABLE_FILE: a preset's file has other columns than the preset", async ({ seller, upload }) => {
    const file = "productId,finish\n10007,Standard\n"
    await refused(upload(await seller(), file, "stock.csv", {}, "/sourceEur"), 422, "UNPROCESSABLE_FILE")
  }),
  fact("422", "METADATA_LIMIT_EXCEEDED: a fifty-first key", async ({ ordered, shop }) => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`k${number}`, "v"]))
    const path = `PATCH /v1/sales/${await ordered("pending_shipment")}/metadata`
    await refused(shop.ask(path, { metadata }), 422, "METADATA_LIMIT_EXCEEDED")
  }),
  fact("422", "TRACKING_REGISTRATION_FAILED: a number that another parcel has", async ({ ordered, ship, shop }) => {
    const again = { trackingNumber: "THE-SAME-1" }
    await answered(ship(shop, await ordered("pending_shipment"), again))
    await refused(ship(shop, await ordered("pending_shipment"), again), 422, "TRACKING_REGISTRATION_FAILED")
  })
]
