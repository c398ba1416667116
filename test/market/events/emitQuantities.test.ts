import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import { QuantityChanged } from "../../../src/market/contract/events/InventoryEvents.ts"
import { makeAccount } from "../../../src/market/accounts/makeAccount.ts"
import { emitQuantities } from "../../../src/market/events/emitQuantities.ts"
import { State, stateLayer } from "../../../src/market/state/State.ts"
import { tables } from "../../../src/market/serveSandbox.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(QuantityChanged))

it.effect("1,201 changed lines are three events of their own, and a line that stayed is in none", () =>
  Effect.gen(function* () {
    const state = yield* Layer.build(stateLayer(undefined, tables))
    const { store, write } = yield* Effect.provideContext(State, state)
    yield* write((tx) => {
      const { id } = makeAccount(tx, { username: "seller" })
      const lines = Array.from({ length: 1202 }, (_, number) => ({
        inventoryId: `line ${number}`,
        customId: null,
        productId: number,
        before: 1,
        after: number === 600 ? 1 : 2
      }))
      return Result.succeed(emitQuantities(tx, id, { reason: "import", lines }))
    })
    const events = store
      .all<{ body: string }>("select body from events order by number")
      .map(({ body }) => decode(body))
    assert.deepStrictEqual(
      events.map(({ data }) => data.changes.length),
      [500, 500, 201]
    )
    assert.strictEqual(new Set(events.map(({ eventId }) => eventId)).size, 3)
    const told = events.flatMap(({ data }) => data.changes.map(({ productId }) => productId))
    assert.deepStrictEqual(
      told,
      Array.from({ length: 1202 }, (_, number) => number).filter((number) => number !== 600)
    )
  }).pipe(Effect.scoped)
)
