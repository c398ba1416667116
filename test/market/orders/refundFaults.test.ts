import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { FaultRule } from "../../../src/market/faults/FaultPlan.ts"
import { ask, Served } from "../Served.ts"
import { pass, sold } from "./Sold.ts"

/** The payment service fails the first refund; the answer to the third one is lost. */
const rules: ReadonlyArray<FaultRule> = [
  { kind: "server-error", endpoint: "refunds", status: 502, at: [1] },
  { kind: "reset", endpoint: "refunds", at: [3] }
]

layer(Served.layer({ faults: { rules } }))("a refund", (it) => {
  it.effect(
    "that the payment service fails pays nothing, one whose answer is lost is made, and both can be sent again",
    () =>
      Effect.gen(function* () {
        const order = yield* sold()
        const refund = (key: string) =>
          ask(`/v1/sales/${order.orderNumber}/refunds`, {
            key: order.seller.key,
            headers: { "idempotency-key": key },
            body: { amount: 2 }
          })
        const refunded = Effect.map(order.sale, (sale) => sale.refunded.amount)

        const failed = yield* refund("first")
        assert.deepStrictEqual([failed.status, failed.json.code, failed.json.status], [502, "BAD_GATEWAY", 502])
        assert.isNotNull(failed.headers.get("x-request-id"))
        assert.strictEqual(yield* refunded, 0)
        assert.strictEqual((yield* refund("first")).status, 200)
        assert.strictEqual(yield* refunded, 2)

        yield* pass(60)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(refund("second"))))
        assert.strictEqual(yield* refunded, 4)
        assert.strictEqual((yield* refund("second")).status, 200)
        assert.strictEqual(yield* refunded, 4)
      })
  )
})
