import { deepEqual, equal, match, ok } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, readList, all, at, textAt } from "../reading/ask.ts"
import { came, type Receiver, signatureOf, startReceiver } from "../world/receiver.ts"
import { card } from "../world/trade.ts"
import type { World } from "../world/World.ts"

interface Hook {
  readonly receiver: Receiver
  readonly secret: string
  /** Makes one event. */
  readonly tell: () => Promise<unknown>
  /** The endpoint's deliveries, with their attempts. */
  readonly read: () => Promise<ReadonlyArray<unknown>>
}

/** A seller whose events go to a receiver. */
const subscribed = async (world: World, use: (hook: Hook) => Promise<void>) => {
  const receiver = await startReceiver()
  try {
    const me = await world.seller()
    const made = await answered(world.control("POST /sandbox/webhooks", { accountId: me.id, url: receiver.url }))
    const path = `GET /sandbox/deliveries?endpointId=${textAt(made, "id")}`
    const read = async () => await readList(world.control(path), "data")
    await use({ receiver, secret: textAt(made, "secret"), tell: () => world.stock(me, card), read })
  } finally {
    receiver.stop()
  }
}
const hooked = (says: string, use: (hook: Hook, world: World) => Promise<void>) =>
  fact("", says, (world) => subscribed(world, (hook) => use(hook, world)))
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

/** How events come to a webhook. */
export const deliveries: ReadonlyArray<Fact> = [
  hooked("a delivery is a POST of JSON, at once", async ({ receiver, tell }) => {
    await tell()
    await came(receiver.received, 1)
    const [first] = receiver.received
    equal(first?.method, "POST")
    match(first?.headers["content-type"] ?? "", /^application\/json/)
    equal(at(JSON.parse(first?.body ?? ""), "type"), "inventory.quantity.changed")
  }),
  hooked(
    "it is signed as Standard Webhooks says: HMAC-SHA256 of id, timestamp and body",
    async ({ receiver, secret, tell }) => {
      await tell()
      await came(receiver.received, 1)
      const [first] = receiver.received
      ok(first !== undefined && secret.startsWith("whsec_"))
      ok((first.headers["webhook-signature"] ?? "").split(" ").includes(signatureOf(first, secret)))
      match(first.headers["webhook-timestamp"] ?? "", /^\d{10}$/)
    }
  ),
  hooked("its timestamp is within five minutes of the receiver's clock", async ({ receiver, tell }) => {
    await tell()
    await came(receiver.received, 1)
    const sent = Number(receiver.received[0]?.headers["webhook-timestamp"]) * 1000
    ok(Math.abs(Date.now() - sent) < 300_000)
  }),
  hooked("webhook-id is the same in every attempt of a delivery", async ({ receiver, tell }, world) => {
    receiver.answerWith(500)
    await tell()
    await came(receiver.received, 1)
    await world.wait(5)
    await came(receiver.received, 2)
    equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1)
  }),
  ...[200, 201, 204, 299].map((status) =>
    hooked(`${status} acknowledges`, async ({ read, receiver, tell }, world) => {
      receiver.answerWith(status)
      await tell()
      await came(receiver.received, 1)
      await world.wait(5)
      deepEqual(all(await read(), "*.state"), ["delivered"])
    })
  ),
  ...[302, 400, 410, 500].map((status) =>
    hooked(`${status} is a failure, and it is sent again after 5 seconds`, async ({ receiver, tell }, world) => {
      receiver.answerWith(status)
      await tell()
      await came(receiver.received, 1)
      await world.wait(4)
      equal(receiver.received.length, 1)
      await world.wait(2)
      await came(receiver.received, 2)
    })
  ),
  hooked(
    "attempts come at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, and no more",
    async ({ read, receiver, tell }, world) => {
      receiver.answerWith(...Array.from({ length: 20 }, () => 500))
      await tell()
      await came(receiver.received, 1)
      await world.wait(3 * 86_400)
      const [delivery] = await read()
      const times = all(delivery, "attempts.*.attemptedAt").map((each) => Date.parse(String(each)) / 1000)
      const pauses = times.slice(1).map((time, place) => Math.round(time - (times[place] ?? 0)))
      deepEqual(pauses, schedule)
      equal(receiver.received.length, 8)
      equal(at(delivery, "state"), "failed")
    }
  ),
  hooked("an endpoint that fails for 5 days is switched off", async ({ receiver, tell }, world) => {
    receiver.answerWith(...Array.from({ length: 100 }, () => 500))
    for (let day = 0; day < 6; day++) {
      await tell()
      await world.wait(86_400)
    }
    const sent = receiver.received.length
    await tell()
    await world.wait(3600)
    equal(receiver.received.length, sent)
  })
]
