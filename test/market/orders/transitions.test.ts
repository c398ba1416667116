import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OrderStatus } from "../../../src/market/contract/orders/OrderStatus.ts"
import { Served } from "../Served.ts"
import { makePair, pass, sold } from "./Sold.ts"

/** The table of "Beyond the spec: section 12", with untracked parcels apart. */
const edges = `
pending_shipment: shipped cancelled_seller cancellation_requested cancelled_auto
cancellation_requested: shipped cancelled_buyer cancelled_auto pending_shipment
shipped: delivered dispute_open
delivered: completed dispute_open
dispute_open: dispute_escalated
dispute_escalated: resolved_full_refund resolved_partial_refund resolved_no_refund resolved_return resolved_goodwill_refund
`
const after = new Map(
  edges
    .trim()
    .split("\n")
    .map((line) => {
      const [from = "", tos = ""] = line.split(": ")
      return [from, tos.split(" ")] as const
    })
)
const day = 86_400

layer(Served.layer())("an order", (it) => {
  it.effect("goes along the edges of the facts and along no other", () =>
    Effect.gen(function* () {
      assert.strictEqual(OrderStatus.literals.length, 15)
      const pair = yield* makePair()
      for (const from of OrderStatus.literals) {
        const order = yield* pair.order
        yield* order.reach(from)
        const shown = yield* order.sale
        assert.strictEqual(shown.status, from)
        for (const to of OrderStatus.literals.filter((to) => after.get(from)?.includes(to) !== true)) {
          const error = yield* Effect.flip(order.step(to, { amount: 1 }))
          assert.deepInclude(error, { code: "INVALID_TRANSITION", data: { from, to } })
        }
        assert.deepStrictEqual(yield* order.sale, shown, "nothing that is refused leaves a trace")
      }
    })
  )

  it.effect("takes each edge", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      for (const [from, tos] of after) {
        for (const to of OrderStatus.literals.filter((status) => tos.includes(status))) {
          const order = yield* pair.order
          yield* order.reach(from as OrderStatus)
          if (to === "shipped") yield* order.ship()
          else yield* order.step(to, { amount: 1 })
          assert.strictEqual((yield* order.purchase).status, to)
        }
      }
    })
  )

  it.effect("is shipped, cancelled and refunded by its seller where the facts allow it, else INVALID_STATUS", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      for (const status of OrderStatus.literals) {
        const order = yield* pair.order
        yield* order.reach(status)
        const calls = [
          [["pending_shipment", "cancellation_requested", "shipped", "delivered"], order.refund(0.01)],
          [["pending_shipment"], order.cancel],
          [["cancellation_requested"], order.ship()]
        ] as const
        for (const [allowed, call] of calls) {
          const done: Effect.Effect<unknown, unknown> = call
          if ((allowed as ReadonlyArray<string>).includes(status)) yield* Effect.orDie(done)
          else {
            // A new order is cancelled by now.
            const now = status === "pending_shipment" ? "cancelled_seller" : status
            assert.deepInclude(yield* Effect.flip(done), { code: "INVALID_STATUS", data: { status: now } })
          }
        }
      }
      yield* (yield* pair.order).ship()
    })
  )

  it.effect("that is not shipped is cancelled after 14 days, an unanswered request to cancel after 3", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      const idle = yield* pair.order
      const asked = yield* pair.order
      yield* asked.step("cancellation_requested")
      yield* pass(3 * day + 60)
      assert.deepInclude((yield* asked.purchase).cancellation, { cancelledBy: "system", reason: "not_answered" })
      assert.strictEqual((yield* idle.sale).status, "pending_shipment")
      yield* pass(11 * day)
      assert.deepInclude((yield* idle.purchase).cancellation, { cancelledBy: "system", reason: "not_shipped" })
    })
  )

  it.effect(
    "that was delivered is paid out after 3 days, an untracked one after 21, a tracked one waits for a scan",
    () =>
      Effect.gen(function* () {
        const pair = yield* makePair()
        const tracked = yield* pair.order
        const waiting = yield* pair.order
        const untracked = yield* sold({ service: "untracked" })
        yield* untracked.seller.api.sales.markShipped({ params: untracked.params, payload: {} })
        yield* waiting.ship()
        yield* tracked.reach("delivered")
        yield* pass(3 * day + 60)
        const { payout, status } = yield* tracked.sale
        assert.strictEqual(status, "completed")
        assert.strictEqual(Date.parse(payout.paidOutAt ?? "") - Date.parse(payout.eligibleAt ?? ""), 60_000)
        assert.strictEqual((yield* untracked.sale).status, "shipped")
        yield* pass(18 * day)
        assert.strictEqual((yield* untracked.sale).status, "completed")
        assert.strictEqual((yield* waiting.sale).status, "shipped", "a tracked parcel waits for its carrier")
      })
  )
})
