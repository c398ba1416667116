import { deepEqual, ok } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, refused, at, keysAt } from "../reading/ask.ts"

const taken = (rows: string, says: string, metadata: Readonly<Record<string, string>>): Fact =>
  fact(rows, says, async ({ ordered, saleOf, shop }) => {
    const order = await ordered("pending_shipment")
    await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata }))
    deepEqual(at(await saleOf(order), "metadata"), metadata)
  })

const notTaken = (rows: string, says: string, metadata: Readonly<Record<string, unknown>>, status = 400): Fact =>
  fact(rows, says, async ({ ordered, saleOf, shop }) => {
    const order = await ordered("pending_shipment")
    await refused(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata }), status)
    deepEqual(at(await saleOf(order), "metadata"), {})
  })

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, "v"]))

/** The numbered rules of a sale's metadata. */
export const metadata: ReadonlyArray<Fact> = [
  taken("rule 1", "letters, digits, _, . and - are taken in a key", { "aZ9_.-": "1", B: "2" }),
  ...["1a", "_a", "-a", "a b", "a/b", "é", ""].map((key) =>
    notTaken("rule 1", `the key "${key}" is refused`, { [key]: "1" })
  ),
  taken("rule 2", "a key of 64 characters is taken", { ["k".repeat(64)]: "1" }),
  notTaken("rule 2", "a key of 65 characters is refused", { ["k".repeat(65)]: "1" }),
  taken("rule 3", "a value of 500 characters is taken, also if they are two UTF-16 units each", {
    a: "v".repeat(500),
    b: "🂡".repeat(500),
    c: ""
  }),
  notTaken("rule 3", "a value of 501 characters is refused", { a: "v".repeat(501) }),
  ...[1, true, {}, []].map((value) =>
    notTaken("rule 3", `the value ${JSON.stringify(value)} is refused`, { a: value })
  ),
  taken("rule 4", "50 keys are taken", numbered(50)),
  notTaken("rule 4", "51 keys are refused", numbered(51), 422),
  fact("rule 4", "a key beyond the fiftieth is refused, and nothing of the change is kept", async (world) => {
    const { ordered, saleOf, shop } = world
    const order = await ordered("pending_shipment")
    await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: numbered(50) }))
    await refused(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: { k0: "new", more: "1" } }), 422)
    deepEqual(at(await saleOf(order), "metadata"), numbered(50))
  }),
  fact("rule 5", "the buyer reads no metadata", async ({ buyer, byStatus }) => {
    const { orderNumber } = byStatus["completed"] ?? { orderNumber: "" }
    const { text } = await buyer.ask(`GET /v1/purchases/${orderNumber}`)
    ok(!text.includes("metadata") && !text.includes("shelf"))
    ok(!keysAt(await answered(buyer.ask("GET /v1/purchases?limit=100")), "data.0").includes("metadata"))
  })
]
