import * as kind from "../reading/kinds.ts"
import { deepEqual, equal, ok, match } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried, type Fact } from "../Fact.ts"
import { answered, all, at, keysAt, textAt, readList } from "../reading/ask.ts"
import { came, type Receiver, signatureOf, startReceiver } from "../world/receiver.ts"
import { card } from "../world/trade.ts"
import type { World } from "../world/World.ts"

/** What both sides were told of an order from start to end, with a message. */
const orderEvents = once(async ({ buy, control, eventsOf, offer, party, reach, seller }) => {
  const [me, to] = [await seller(), await party({ country: "FR" })]
  const order = await buy(to, [await offer(me, 12, { customId: "told" })])
  await answered(control(`POST /sandbox/orders/${order}/messages`, { from: "buyer", hasAttachments: true }))
  await reach(me, order, "completed")
  const of = async (type: string) => [...(await eventsOf(me, type)), ...(await eventsOf(to, type))]
  return {
    order,
    created: await of("order.created"),
    changed: await of("order.status.changed"),
    messages: await of("message.received"),
    balances: await of("balance.updated")
  }
})
const created = fieldsOf("order.created", async (world) => (await orderEvents(world)).created)
const changed = fieldsOf("order.status.changed", async (world) => (await orderEvents(world)).changed)
const message = fieldsOf("message.received", async (world) => (await orderEvents(world)).messages)
const balance = fieldsOf("balance.updated", async (world) => (await orderEvents(world)).balances)

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
const deliveries: ReadonlyArray<Fact> = [
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

export const marketEvents = section("beyond", "14. Events", [
  ...created(kind.filled, "data.orderNumber data.items.0.name data.counterparty.username", "order.created"),
  ...created(kind.just("pending_shipment"), "data.status", "order.created"),
  ...created(kind.currency, "data.currency", "order.created"),
  ...created(kind.money, "data.totalAmount data.items.0.unitPrice", "order.created"),
  ...created(kind.integer, "data.itemCount data.items.0.productId data.items.0.quantity", "order.created"),
  ...created(kind.listOf(kind.object), "data.items", "order.created"),
  ...created(kind.maybeAbsent(kind.filled), "data.items.0.inventoryId", "order.created"),
  ...created(kind.maybeAbsent(kind.maybeNull(kind.filled)), "data.items.0.customId", "order.created"),
  ...created(kind.maybeAbsent(kind.country), "data.counterparty.country", "order.created"),
  ...created(kind.dateTime, "data.createdAt", "order.created"),
  fact("order.created", "each order event is delivered once per role, with recipientRole", async (world) => {
    const { changed, created } = await orderEvents(world)
    deepEqual(all(created, "*.recipientRole"), ["seller", "buyer"])
    const roles = all(changed, "*.recipientRole")
    deepEqual([roles.filter((role) => role === "seller").length, roles.length], [4, 8])
  }),
  fact("order.created", "the buyer is not told of inventoryId and customId", async (world) => {
    const [toSeller, toBuyer] = (await orderEvents(world)).created
    equal(at(toSeller, "data.items.0.customId"), "told")
    ok(
      !keysAt(toBuyer, "data.items.0").includes("customId") && !keysAt(toBuyer, "data.items.0").includes("inventoryId")
    )
  }),
  ...changed(kind.filled, "data.orderNumber data.status", "order.status.changed"),
  ...changed(kind.nullOr(kind.filled), "data.previousStatus", "order.status.changed"),
  ...changed(kind.dateTime, "data.changedAt", "order.status.changed"),
  ...changed(kind.maybeNull(kind.filled), "data.reason", "order.status.changed"),
  ...changed(kind.nullOr(kind.object), "data.metadata", "order.status.changed"),
  fact("order.status.changed", "from null to pending_shipment, then each status from the one before", async (world) => {
    const mine = (await orderEvents(world)).changed.filter((each) => at(each, "recipientRole") === "seller")
    deepEqual(
      mine.map((each) => [at(each, "data.previousStatus"), at(each, "data.status")]),
      [
        [null, "pending_shipment"],
        ["pending_shipment", "shipped"],
        ["shipped", "delivered"],
        ["delivered", "completed"]
      ]
    )
  }),
  fact("order.status.changed", "metadata is in the seller's copy only", async (world) => {
    for (const each of (await orderEvents(world)).changed)
      equal(at(each, "data.metadata") === null, at(each, "recipientRole") === "buyer")
  }),
  ...message(
    kind.filled,
    "data.threadId data.messageId data.context.orderNumber data.sender.username",
    "message.received"
  ),
  ...message(kind.just("order"), "data.context.type", "message.received"),
  ...message(kind.just("main"), "data.context.scope", "message.received"),
  ...message(kind.just("seller"), "data.context.yourRole", "message.received"),
  ...message(kind.dateTime, "data.sentAt", "message.received"),
  ...message(kind.flag, "data.hasAttachments", "message.received"),
  fact("message.received", "its thread is named after the order", async (world) => {
    const [one] = (await orderEvents(world)).messages
    equal(at(one, "data.threadId"), `${String(at(one, "data.context.orderNumber"))}.messages`)
  }),
  fact("message.received", "it has no text", async (world) => {
    const [one] = (await orderEvents(world)).messages
    deepEqual(keysAt(one, "data"), ["context", "hasAttachments", "messageId", "sender", "sentAt", "threadId"])
  }),
  ...balance(kind.money, "data.available data.pending", "balance.updated"),
  ...balance(kind.dateTime, "data.updatedAt", "balance.updated"),
  fact("balance.updated", "the balance is pending from shipping on, and available in the end", async (world) => {
    const { balances } = await orderEvents(world)
    const amounts = balances.map((each) => [at(each, "data.available.amount"), at(each, "data.pending.amount")])
    const [[, pending] = [0, 0]] = amounts
    ok(Number(pending) > 0)
    deepEqual(amounts.at(-1), [pending, 0])
  }),
  fact("inventory.*", "a failed import carries zero counts and a null report link", async (world) => {
    const me = await world.seller()
    await world.failed(me)
    const [event] = await world.eventsOf(me, "inventory.import.completed")
    deepEqual(
      [at(event, "data.counts"), at(event, "data.errorReportUrl")],
      [{ total: 0, succeeded: 0, failed: 0 }, null]
    )
  }),
  ...deliveries,
  ...["offer.created, offer.updated", "optimizer.run.completed / failed", "account.updated"].map((type) =>
    untried(type, `${type} are events`, "outside the specification")
  )
])
