import assert from "node:assert/strict"
import { fact, type Section, untried } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import {
  country,
  currency,
  dateTime,
  filled,
  flag,
  integer,
  just,
  listOf,
  maybeAbsent,
  maybeNull,
  money,
  nullOr,
  object
} from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, at, keysAt, textAt } from "../reading/paths.ts"
import { deliveries } from "./deliveries.ts"

/** What both sides were told of an order from start to end, with a message. */
const told = once(async ({ buy, control, eventsOf, offer, party, reach, seller }) => {
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
const created = fieldsOf("order.created", async (world) => (await told(world)).created)
const changed = fieldsOf("order.status.changed", async (world) => (await told(world)).changed)
const message = fieldsOf("message.received", async (world) => (await told(world)).messages)
const balance = fieldsOf("balance.updated", async (world) => (await told(world)).balances)

export const marketEvents: Section = {
  document: "beyond",
  heading: "14. Events",
  facts: [
    created("order.created", "data.orderNumber", filled),
    created("order.created", "data.status", just("pending_shipment")),
    created("order.created", "data.currency", currency),
    created("order.created", "data.totalAmount", money),
    created("order.created", "data.itemCount", integer),
    created("order.created", "data.items", listOf(object)),
    created("order.created", "data.items.0.productId", integer),
    created("order.created", "data.items.0.name", filled),
    created("order.created", "data.items.0.quantity", integer),
    created("order.created", "data.items.0.unitPrice", money),
    created("order.created", "data.items.0.inventoryId", maybeAbsent(filled)),
    created("order.created", "data.items.0.customId", maybeAbsent(maybeNull(filled))),
    created("order.created", "data.counterparty.username", filled),
    created("order.created", "data.counterparty.country", maybeAbsent(country)),
    created("order.created", "data.createdAt", dateTime),
    fact("order.created", "each order event is delivered once per role, with recipientRole", async (world) => {
      const { changed, created } = await told(world)
      assert.deepEqual(all(created, "*.recipientRole"), ["seller", "buyer"])
      const roles = all(changed, "*.recipientRole")
      assert.deepEqual([roles.filter((role) => role === "seller").length, roles.length], [4, 8])
    }),
    fact("order.created", "the buyer is not told of inventoryId and customId", async (world) => {
      const [toSeller, toBuyer] = (await told(world)).created
      assert.equal(at(toSeller, "data.items.0.customId"), "told")
      assert.ok(
        !keysAt(toBuyer, "data.items.0").includes("customId") &&
          !keysAt(toBuyer, "data.items.0").includes("inventoryId")
      )
    }),
    changed("order.status.changed", "data.orderNumber", filled),
    changed("order.status.changed", "data.status", filled),
    changed("order.status.changed", "data.previousStatus", nullOr(filled)),
    changed("order.status.changed", "data.changedAt", dateTime),
    changed("order.status.changed", "data.reason", maybeNull(filled)),
    changed("order.status.changed", "data.metadata", nullOr(object)),
    fact(
      "order.status.changed",
      "from null to pending_shipment, then each status from the one before",
      async (world) => {
        const mine = (await told(world)).changed.filter((each) => at(each, "recipientRole") === "seller")
        assert.deepEqual(
          mine.map((each) => [at(each, "data.previousStatus"), at(each, "data.status")]),
          [
            [null, "pending_shipment"],
            ["pending_shipment", "shipped"],
            ["shipped", "delivered"],
            ["delivered", "completed"]
          ]
        )
      }
    ),
    fact("order.status.changed", "metadata is in the seller's copy only", async (world) => {
      for (const each of (await told(world)).changed)
        assert.equal(at(each, "data.metadata") === null, at(each, "recipientRole") === "buyer")
    }),
    message("message.received", "data.threadId", filled),
    message("message.received", "data.messageId", filled),
    message("message.received", "data.context.type", just("order")),
    message("message.received", "data.context.orderNumber", filled),
    message("message.received", "data.context.scope", just("main")),
    message("message.received", "data.context.yourRole", just("seller")),
    message("message.received", "data.sender.username", filled),
    message("message.received", "data.sentAt", dateTime),
    message("message.received", "data.hasAttachments", flag),
    fact("message.received", "it has no text", async (world) => {
      const [one] = (await told(world)).messages
      assert.deepEqual(keysAt(one, "data"), ["context", "hasAttachments", "messageId", "sender", "sentAt", "threadId"])
    }),
    balance("balance.updated", "data.available", money),
    balance("balance.updated", "data.pending", money),
    balance("balance.updated", "data.updatedAt", dateTime),
    fact(
      "balance.updated",
      "the seller's balance is pending from shipping on, and available in the end",
      async (world) => {
        const { balances } = await told(world)
        const amounts = balances.map((each) => [at(each, "data.available.amount"), at(each, "data.pending.amount")])
        const [[, pending] = [0, 0]] = amounts
        assert.ok(Number(pending) > 0)
        assert.deepEqual(amounts.at(-1), [pending, 0])
      }
    ),
    fact(
      "inventory.*",
      "a failed import carries zero counts and a null report link",
      async ({ seller, upload, ended, eventsOf }) => {
        const me = await seller()
        await ended(me, textAt(await answered(upload(me, "x\n1\n"), 202), "job.id"))
        const [event] = await eventsOf(me, "inventory.import.completed")
        assert.deepEqual(
          [at(event, "data.counts"), at(event, "data.errorReportUrl")],
          [{ total: 0, succeeded: 0, failed: 0 }, null]
        )
      }
    ),
    ...deliveries,
    ...["offer.created, offer.updated", "optimizer.run.completed / failed", "account.updated"].map((type) =>
      untried(type, `${type} are events`, "they are outside the specification, and the sandbox has none of it")
    )
  ]
}
