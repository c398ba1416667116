import { afterAll, assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { createClient, type Fetch } from "../../../src/market/sdk/client.ts"
import { type AnswerDocument, answerFaults } from "../description/answerFault.ts"
import { startSandbox } from "../../pipelines/cli.ts"
import { account, buy, control, price, raw } from "./trade.ts"

/** Ids of the operations that were asked, with what ajv has against their answers. */
const called = new Map<string, string | undefined>()

/** Notes which operation of `/openapi.json` each request was, by its address. */
const noting = async (address: string, init?: never): Promise<Response> => {
  const { method } = init as unknown as { readonly method: string }
  const response = await fetch(address, init)
  const { pathname } = new URL(address)
  for (const [path, item] of Object.entries(document.paths)) {
    const operation = item[method.toLowerCase()] as { readonly operationId: string } | undefined
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
    // `/inventory/search` is no line of that name.
    if (operation === undefined || !pattern.test(pathname) || (path.includes("{") && pathname in document.paths))
      continue
    const { headers, status } = response
    const json: unknown = await response.clone().json()
    called.set(operation.operationId, faults.answer(method, path, { status, headers, json }))
  }
  return response
}

const sandbox = await startSandbox({ odd: false })
afterAll(sandbox.stop)
const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as AnswerDocument
const faults = answerFaults(document)
const client = (key: string) => createClient({ url: sandbox.url, key, fetch: noting satisfies Fetch, retries: 0 })
const api = client((await account(sandbox.url, "ann")).key)
const buyer = await account(sandbox.url, "ben", false)
const shopper = client(buyer.key)

const first = async <A>(items: AsyncIterable<A>): Promise<A> => {
  for await (const item of items) return item
  throw new Error("The list is empty")
}

describe("a client", () => {
  it("reads the catalogue, its prices and its feeds", async () => {
    assert.strictEqual((await first(api.games.list())).id, "emberfall")
    assert.strictEqual((await api.games.get("emberfall")).name, "Emberfall Saga")
    const expansion = await first(api.expansions.list("emberfall"))
    assert.strictEqual((await api.expansions.get(expansion.id)).name, expansion.name)
    assert.strictEqual((await api.products.list({ limit: 2, offset: 1 }).page()).data.length, 2)
    const found = await first(api.products.search({ gameFilters: { game: "emberfall" }, productIds: [raw.productId] }))
    assert.strictEqual(found.id, raw.productId)
    const product = await api.products.get(raw.productId)
    const externalId = product.externalIds?.sourceEur?.[0]?.id ?? 0
    const { results } = await api.products.resolve({ marketplace: "sourceEur", ids: [externalId] })
    assert.strictEqual(results[0]?.product?.id, raw.productId)
    assert.property((await api.products.prices(raw.productId)).pricesByFinish, "Standard")
    const days = { marketplace: "sourceEur", from: "2026-03-01", to: "2026-03-02" } as const
    assert.strictEqual((await api.products.priceHistory(raw.productId, days)).from, "2026-03-01")
    await api.products.recentSales(raw.productId).page()
    await first(api.feeds.changelog("emberfall", { includeChanges: true }))
    const feeds = await api.feeds.get("emberfall")
    assert.strictEqual((await api.feeds.catalog("emberfall")).checksum, feeds.catalog?.checksum)
    assert.strictEqual((await api.feeds.expansions("emberfall")).feedType, "expansions")
    const prices = await api.feeds.prices("emberfall")
    let priced = 0
    for await (const line of (await api.download(prices.url)).lines()) priced += JSON.parse(line).productId > 0 ? 1 : 0
    assert.strictEqual(priced, prices.recordCount)
    const unpacked = await (await api.download(prices.url)).bytes()
    assert.strictEqual(createHash("sha256").update(unpacked).digest("hex"), prices.checksum)
  })

  it("keeps an account and its labels", async () => {
    assert.strictEqual((await api.account.me()).username, "ann")
    assert.deepStrictEqual((await api.account.balance()).available, { amount: 0, currency: "EUR" })
    assert.isTrue((await api.account.setVacation({ enabled: true, reason: "At a tournament" })).enabled)
    await api.account.setVacation({ enabled: false })
    assert.isFalse((await api.account.vacation()).enabled)
    for (const labels of [api.tags, api.locations]) {
      await labels.create({ name: "Box 3/4?", color: "#1f5f8b" })
      assert.strictEqual((await labels.update("Box 3/4?", { icon: "star" })).icon, "star")
      assert.strictEqual((await first(labels.list())).name, "Box 3/4?")
      assert.deepStrictEqual(await labels.delete("Box 3/4?"), { deleted: true })
    }
  })

  it("keeps stock, puts it on sale, imports and exports it", async () => {
    const { created } = await api.inventory.create({ lines: [{ ...raw, quantity: 8, customId: "A-1" }] })
    const { id = "" } = created[0] ?? {}
    assert.strictEqual((await api.listings.create(id, { price })).line.listing?.price.amount, 14.99)
    assert.strictEqual((await first(api.listings.list({ productId: [raw.productId], tags: [] }))).id, id)
    const { listing } = await api.listings.update(id, { price: { ...price, amount: 12.5 } })
    assert.strictEqual(listing?.price.amount, 12.5)
    assert.isNull((await api.listings.delete(id)).listing)
    assert.strictEqual((await api.inventory.update(id, { comment: "Pack fresh" })).line.comment, "Pack fresh")
    assert.strictEqual((await api.inventory.get(id)).quantity, 8)
    assert.strictEqual((await first(api.inventory.list({ customIdPrefix: "A-", graded: false }))).id, id)
    assert.strictEqual((await first(api.inventory.search({ game: "emberfall", condition: ["NM"] }))).id, id)
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    const photos = [{ name: "front.png", content: Uint8Array.from(Buffer.from(pixel, "base64")) }]
    const [photo] = (await api.inventory.setPhotos(id, photos)).photos
    assert.isAbove((await (await api.download(photo?.url ?? "")).bytes()).length, 10)

    const csv = "productId,finish,language,condition,quantity,customId\n10007,Standard,de,NM,2,A-2\n"
    const imported = await api.bulk.wait(await api.bulk.import({ name: "stock.csv", content: new Blob([csv]) }))
    assert.deepStrictEqual([imported.status, imported.counts], ["completed", { total: 1, succeeded: 1, failed: 0 }])
    const theirs = new File(["idProduct,quantity,condition,language,price\n900000,1,EX,English,3.50\n"], "export.csv")
    const preset = await api.bulk.importPreset({ preset: "powertools", file: theirs }, { mode: "upsert" })
    assert.strictEqual((await api.bulk.wait(preset)).status, "completed")
    const exported = await api.bulk.wait((await api.bulk.export({ format: "csv" })).id)
    const text = await (await api.download(exported.downloadUrl ?? "")).text()
    assert.match(text, /A-2/)
    const { results } = await api.bulk.update({ items: [{ customId: "A-2", quantity: { set: 5 } }] })
    assert.strictEqual(results[0]?.status, "ok")
    assert.strictEqual((await api.bulk.job(exported.id)).kind, "export")
    assert.deepStrictEqual(await api.inventory.delete(id), { deleted: true })
  })

  it("buys and sells", async () => {
    await api.inventory.create({ lines: [{ ...raw, quantity: 8, listing: { price } }] })
    const { listingId, orderNumber } = await buy(sandbox.url, buyer, "ann")
    await first(shopper.products.listings(raw.productId, { condition: ["NM"], deliveryCountry: "DE" }))
    const added = await shopper.cart.add({ deliveryCountry: "DE", items: [{ listingId, quantity: 1 }] })
    assert.deepStrictEqual([added.cart.itemCount, added.errors], [1, []])
    assert.strictEqual((await shopper.cart.update(listingId, { quantity: 2 })).itemCount, 2)
    assert.strictEqual((await shopper.cart.get()).itemCount, 2)
    assert.strictEqual((await shopper.cart.remove(listingId)).itemCount, 0)
    assert.strictEqual((await shopper.cart.empty()).itemCount, 0)

    await api.sales.updateMetadata(orderNumber, { metadata: { channel: "web" } })
    assert.strictEqual((await first(api.sales.list({ metadata: { channel: "web" } }))).orderNumber, orderNumber)
    assert.deepStrictEqual(await api.sales.list({ metadata: { channel: "shop" } }).page(), {
      data: [],
      pagination: { nextCursor: null }
    })
    const shipped = await api.sales.ship(orderNumber, { trackingNumber: "PARCEL-1" })
    assert.strictEqual(shipped.shipping?.trackingNumber, "PARCEL-1")
    await api.sales.refund(orderNumber, { amount: 1.5 })
    await control(sandbox.url, "clock", { seconds: 3600 })
    assert.strictEqual((await api.sales.get(orderNumber)).refunded.amount, 1.5)
    assert.strictEqual((await first(shopper.purchases.list({ status: ["shipped"] }))).orderNumber, orderNumber)
    assert.strictEqual((await shopper.purchases.get(orderNumber)).seller.username, "ann")
    const other = await buy(sandbox.url, buyer, "ann")
    const why = { reason: "item_damaged", reasonText: "The card got wet on the way to the post." } as const
    assert.strictEqual((await api.sales.cancel(other.orderNumber, why)).status, "cancelled_seller")
  })

  it("has now called every operation of /openapi.json, and each answered as described there", () => {
    const all = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => (operation as unknown as { readonly operationId: string }).operationId)
    )
    assert.strictEqual(all.length, 58)
    assert.deepStrictEqual([...called.keys()].toSorted(), all.toSorted())
    assert.deepEqual([...new Set(called.values())], [undefined])
  })
})
