// A shop that puts its stock on sale, then ships orders. Needs CARDLAKE_URL, CARDLAKE_API_KEY, and the WEBHOOK_SECRET
// of a webhook that calls PORT. Start: node shop.ts
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { createClient, type MarketEvent, verifyWebhook, WebhookVerificationError } from "cardlake/client"

const {
  CARDLAKE_API_KEY: key = "",
  CARDLAKE_URL: url = "",
  PORT: port = "4700",
  WEBHOOK_SECRET: secret = ""
} = process.env
const api = createClient({ url, key })

const card = { productId: 10_007, finish: "Standard", language: "en", condition: "NM" } as const
const stock = [
  { ...card, quantity: 4, customId: "shelf-1", listing: { price: { amount: 14.99, currency: "EUR" } } }
] as const

/** Creates missing listings. Listings of an earlier start are unchanged. */
const putOnSale = async (): Promise<void> => {
  const known = new Set<string | null>()
  for await (const { customId } of api.inventory.list()) known.add(customId)
  const lines = stock.filter(({ customId }) => !known.has(customId))
  if (lines.length === 0) return
  const { created, errors } = await api.inventory.create({ lines })
  for (const { code, index } of errors) console.error(`${lines[index]?.customId} is not on sale: ${code}`)
  for (const { customId, quantity } of created) console.log(`On sale: ${quantity} of ${customId}`)
}

/** Ships an order. It may be called twice for an order, because events can be delivered again. */
const ship = async (orderNumber: string): Promise<void> => {
  const { items, payout, shippingAddress, status } = await api.sales.get(orderNumber)
  if (status !== "pending_shipment") return
  for (const { customId, quantity } of items) console.log(`To pack: ${quantity} of ${customId}`)
  // A real shop sends the tracking number of the carrier's label.
  await api.sales.ship(orderNumber, { trackingNumber: `PARCEL-${orderNumber}` })
  console.log(`Shipped: ${orderNumber} to ${shippingAddress.countryCode}, for ${payout.amount?.amount ?? "?"}`)
}

const handle = async (event: MarketEvent): Promise<void> => {
  if (event.type === "order.created" && event.recipientRole === "seller") await ship(event.data.orderNumber)
}

await putOnSale()
const server = createServer(async (request, response) => {
  try {
    await handle(await verifyWebhook({ headers: request.headers, body: await buffer(request), secret }))
    response.writeHead(204).end()
  } catch (error) {
    console.error(String(error))
    // The marketplace retries the event after any status but 2xx.
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
})
server.listen(Number(port), "127.0.0.1", () => console.log(`Waiting for orders on port ${port}`))
