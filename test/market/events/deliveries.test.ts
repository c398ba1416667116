import { assert } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { setTimeout } from "node:timers/promises"
import { makeAccount } from "../../../src/market/accounts/accounts.ts"
import { deliverEvents, replay, emit } from "../../../src/market/events/emit.ts"
import { addEndpoint, enableEndpoint, findEndpoint } from "../../../src/market/events/endpoints.ts"
import { listDeliveries } from "../../../src/market/events/webhookControl.ts"
import { MarketClock } from "../../../src/market/state/MarketClock.ts"
import { State, stateLayer, type Transaction } from "../../../src/market/state/State.ts"
import { tables } from "../../../src/market/serveSandbox.ts"
import { makeReceiver } from "./Receiver.ts"
import { suite, values } from "../../support/sandbox.ts"

const hour = 3_600_000
const money = { amount: 1, currency: "EUR" } as const
const tell = (account: string) => (tx: Transaction) =>
  Result.succeed(
    emit(tx, account, { type: "balance.updated", data: { available: money, pending: money, updatedAt: tx.at } })
  )

let accounts = 0

/** A new account whose events go to a new receiver. */
const subscribed = Effect.gen(function* () {
  const receiver = yield* makeReceiver
  const { store, write } = yield* State
  const { advance } = yield* MarketClock
  const account = yield* write((tx) => Result.succeed(makeAccount(tx, { username: `seller ${++accounts}` }).id))
  const { id, secret } = yield* write((tx) => Result.succeed(addEndpoint(tx, account, receiver.url)))
  receiver.trust(secret)
  return {
    account,
    receiver,
    endpoint: id,
    write,
    /** Lets this many milliseconds of the marketplace's time pass; whatever is due is sent. */
    pass: advance,
    tellOne: Effect.andThen(write(tell(account)), advance(0)),
    deliveries: () => listDeliveries(store, { endpointId: id, limit: 100 }),
    isOff: () => findEndpoint(store, id)?.disabledAt !== null
  }
})

const market = stateLayer(undefined, tables).pipe(Layer.provideMerge(FetchHttpClient.layer), (built) =>
  Layer.provideMerge(Layer.effectDiscard(deliverEvents), built)
)

suite(market)("a delivery or an endpoint", (it) => {
  it("to an address where nothing listens is recorded as a failure without a status", function* () {
    const { account, pass, write } = yield* subscribed
    const { store } = yield* State
    const { id } = yield* write((tx) => Result.succeed(addEndpoint(tx, account, "http://127.0.0.1:1/")))
    yield* Effect.andThen(write(tell(account)), pass(0))
    const [delivery] = listDeliveries(store, { endpointId: id, limit: 1 })
    assert.deepEqual(values(delivery?.attempts ?? [], "status", "error"), [[null, "no connection"]])
  })

  it("whose attempt cannot be recorded is not sent again before it is", function* () {
    const { account, deliveries, receiver, write } = yield* subscribed
    const { store } = yield* State
    const { runDue } = yield* MarketClock
    receiver.answerWith([500])
    store.run("create temp trigger full before insert on delivery_attempts begin select raise(abort, 'full'); end")
    yield* write(tell(account))
    for (let wait = 0; wait < 20; wait++) {
      yield* runDue
      yield* Effect.promise(() => setTimeout(20))
    }
    assert.deepEqual([receiver.received.length, deliveries()[0]?.attempts.length], [1, 0])
    store.run("drop trigger full")
    yield* Effect.promise(() => setTimeout(20)).pipe(
      Effect.repeat({ until: () => deliveries()[0]?.attempts.length === 1, times: 200 })
    )
    assert.deepEqual(values(deliveries(), "state", "attempts.0.status", "attempts.length"), [["pending", 500, 1]])
    assert.strictEqual(receiver.received.length, 1)
  })

  it("can be replayed: the same event comes again", function* () {
    const { deliveries, pass, receiver, tellOne, write } = yield* subscribed
    yield* tellOne
    const [delivery] = deliveries()
    yield* write((tx) => Result.succeed(replay(tx, delivery?.id ?? "")))
    yield* pass(0)
    assert.deepEqual(values(receiver.received, "verdict"), ["new", "again"])
    assert.strictEqual(deliveries()[0]?.attempts.length, 2)
  })

  it("that fails for 5 days is switched off, gets nothing more, and can be switched on again", function* () {
    const { deliveries, endpoint, isOff, pass, receiver, tellOne, write } = yield* subscribed
    receiver.answerWith(Array.from({ length: 100 }, () => 503))
    for (let day = 0; day < 5; day++) {
      yield* tellOne
      assert.isFalse(isOff(), `day ${day}`)
      yield* pass(24 * hour)
    }
    yield* tellOne
    assert.isTrue(isOff())
    const before = receiver.received.length
    yield* tellOne
    yield* pass(48 * hour)
    assert.strictEqual(receiver.received.length, before)
    assert.isTrue(deliveries().every(({ state }) => state === "failed"))
    yield* write((tx) => Result.succeed(enableEndpoint(tx, endpoint)))
    receiver.answerWith([])
    yield* tellOne
    assert.deepEqual([deliveries()[0]?.state, isOff()], ["delivered", false])
  })

  it("that answers now and then stays on", function* () {
    const { isOff, pass, receiver, tellOne } = yield* subscribed
    for (let day = 0; day < 8; day++) {
      receiver.answerWith(day === 3 ? [] : Array.from({ length: 12 }, () => 500))
      yield* tellOne
      yield* pass(24 * hour)
    }
    assert.isFalse(isOff())
  })

  it("that is slow does not hold up the others", function* () {
    const slow = yield* subscribed
    const quick = yield* subscribed
    slow.receiver.answerWith(["hang"])
    yield* slow.write(tell(slow.account))
    yield* slow.write(tell(quick.account))
    yield* Effect.promise(() => setTimeout(20)).pipe(
      Effect.repeat({ until: () => quick.deliveries()[0]?.state === "delivered", times: 200 })
    )
    assert.strictEqual(quick.deliveries()[0]?.state, "delivered")
    assert.deepEqual(values(slow.deliveries(), "state", "attempts.length"), [["pending", 0]])
  })
})
