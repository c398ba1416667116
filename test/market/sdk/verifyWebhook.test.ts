import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { type MarketEvent, verifyWebhook, WebhookVerificationError } from "../../../src/market/sdk/client.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const now = new Date("2026-03-01T12:00:00Z")
const moved = { available: { amount: 14.99, currency: "EUR" }, pending: { amount: 0, currency: "EUR" } }
const body = JSON.stringify({
  type: "balance.updated",
  eventId: "msg_1",
  timestamp: "2026-03-01T12:00:00.000Z",
  data: { ...moved, updatedAt: "2026-03-01T12:00:00.000Z" }
})

/** Headers as the published library signs them. */
const signed = (at = now, by = secret, text = body) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(at.getTime() / 1000),
  "webhook-signature": new Webhook(by).sign("msg_1", at, text)
})

const refusal = async (delivery: Promise<MarketEvent>): Promise<string> => {
  const error = await delivery.then(
    () => undefined,
    (reason: unknown) => reason
  )
  assert.instanceOf(error, WebhookVerificationError)
  return String(error)
}

const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

describe("verifyWebhook", () => {
  it("gives the event of the example that the standard's own library has", async () => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    }
    const example = '{"test": 2432232314}'
    const at = new Date(1_614_265_330_000)
    // The signature is right: what is refused is a body that is no event.
    const reason = await refusal(verifyWebhook({ headers, body: example, secret, now: at }))
    assert.match(reason, /its body is no event/)
  })

  it("takes headers of fetch and of node:http, in any case, and the sender's own prefix; text and bytes", async () => {
    const plain = signed()
    const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]))
    const svix = Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [name.replace("webhook", "svix"), value])
    )
    for (const headers of [plain, upper, svix, new Headers(plain)]) {
      const event = await verifyWebhook({ headers, body: new TextEncoder().encode(body), secret, now })
      assert.isTrue(event.type === "balance.updated" && event.data.available.amount === 14.99)
    }
    assert.strictEqual((await verifyWebhook({ headers: plain, body, secret, now })).eventId, "msg_1")
  })

  it("takes any of several signatures, and any of several secrets", async () => {
    const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
    const right = signed()
    const signature = [
      "v1,AAAA",
      "v2,abc",
      "v1,%%%",
      signed(now, other)["webhook-signature"],
      right["webhook-signature"]
    ]
    const headers = { ...right, "webhook-signature": signature.join(" ") }
    await verifyWebhook({ headers, body, secret, now })
    await verifyWebhook({ headers: signed(), body, secret: [other, secret], now })
    const unsigned = { ...right, "webhook-signature": signature.slice(0, 4).join(" ") }
    assert.match(await refusal(verifyWebhook({ headers: unsigned, body, secret, now })), /no signature of it is right/)
  })

  it("refuses another body, another secret, another id, another time, and headers that are missing", async () => {
    const headers = signed()
    const wrong = [
      { headers, body: body.replace("14.99", "15.99"), secret },
      { headers, body: `${body} `, secret },
      { headers, body, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" },
      { headers: { ...headers, "webhook-id": "msg_2" }, body, secret },
      { headers: { ...headers, "webhook-timestamp": "1772366401" }, body, secret },
      {
        headers: { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,") },
        body,
        secret
      }
    ]
    for (const delivery of wrong) {
      assert.match(await refusal(verifyWebhook({ ...delivery, now })), /no signature of it is right/)
    }
    const { "webhook-id": _, ...unnamed } = headers
    assert.match(await refusal(verifyWebhook({ headers: unnamed, body, secret, now })), /no header webhook-id/)
  })

  it("refuses what was signed more than five minutes before or after now", async () => {
    for (const at of [minutes(-5), minutes(5)]) await verifyWebhook({ headers: signed(at), body, secret, now })
    for (const at of [minutes(-301 / 60), minutes(301 / 60)]) {
      assert.match(await refusal(verifyWebhook({ headers: signed(at), body, secret, now })), /301 seconds away/)
    }
    await verifyWebhook({ headers: signed(minutes(-9)), body, secret, now, toleranceSeconds: 600 })
    const endless = { ...signed(), "webhook-timestamp": "NaN" }
    assert.match(await refusal(verifyWebhook({ headers: endless, body, secret, now })), /no number of seconds/)
  })

  it("says what a programmer did wrong, without the secret", async () => {
    const parsed = verifyWebhook({ headers: signed(), body: JSON.parse(body), secret, now })
    assert.match(String(await parsed.catch((reason: unknown) => reason)), /^TypeError: `body` is not what came/)
    const mistyped = verifyWebhook({ headers: signed(), body, secret: "whsec_%%%secret", now })
    const reason = String(await mistyped.catch((reason: unknown) => reason))
    assert.match(reason, /^TypeError: The secret is none/)
    assert.notInclude(reason, "%%%")
  })
})
