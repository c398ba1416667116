import { assert } from "@effect/vitest"
import { createClient } from "../../../src/market/sdk/client.ts"
import type { Started, Where } from "../../pipelines/cli.ts"
import { freePort } from "../../support/freePort.ts"
import { account, buy, control } from "./trade.ts"

type Play = (program: string, args: ReadonlyArray<string>, env: NonNullable<Where["env"]>) => Started

/** The shop sells a card and ships it, as the sandbox at the address sees it. */
export const playShop = async (url: string, play: Play): Promise<void> => {
  const seller = await account(url, "shop")
  const buyer = await account(url, "customer", false)
  const port = String(await freePort())
  const { secret } = await control(url, "webhooks", { accountId: seller.id, url: `http://127.0.0.1:${port}/` })
  const env = { CARDLAKE_URL: url, CARDLAKE_API_KEY: seller.key, WEBHOOK_SECRET: secret, PORT: port }
  const shop = play("shop.ts", [], env)
  await shop.shows(`Waiting for orders on port ${port}`)
  const { orderNumber } = await buy(url, buyer, "shop")
  await shop.shows(`Shipped: ${orderNumber} to DE, for `)
  const forged = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })
  assert.strictEqual(forged.status, 400)
  shop.process.kill()
  const { stderr, stdout } = await shop.ended
  const lines = stdout.trimEnd().split("\n")
  assert.deepStrictEqual(lines.slice(0, 3), [
    "On sale: 4 of shelf-1",
    `Waiting for orders on port ${port}`,
    "To pack: 1 of shelf-1"
  ])
  assert.match(stderr, /^WebhookVerificationError: The webhook is refused: it has no header webhook-id\n$/)
  const sale = await createClient({ url, key: seller.key }).sales.get(orderNumber)
  assert.deepStrictEqual([sale.status, sale.shipping?.trackingNumber], ["shipped", `PARCEL-${orderNumber}`])
}

/** The price list has the one offer of the card that the seller makes, at its price. */
export const playPrices = async (url: string, play: Play): Promise<void> => {
  const { id, key } = await account(url, "reader", false)
  assert.isString(id)
  const list = play("prices.ts", ["emberfall"], { CARDLAKE_URL: url, CARDLAKE_API_KEY: key })
  const { code, stderr, stdout } = await list.ended
  assert.deepStrictEqual([code, stderr], [0, ""])
  const [head, ...rows] = stdout.trimEnd().split("\n")
  assert.strictEqual(head, "id,name,expansion,offers,price,currency,finish,condition,seller")
  const { total } = (
    await createClient({ url, key })
      .products.search({ gameFilters: { game: "emberfall" }, listings: { inStock: true }, limit: 1 })
      .page()
  ).pagination
  assert.strictEqual(rows.length, total)
  assert.isAbove(rows.filter((row) => /,\d+,\d+(\.\d\d?)?,(EUR|USD),\w+/.test(row)).length, 200)
}
