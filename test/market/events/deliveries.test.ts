import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { setTimeout } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import { makeAccount } from "../../../src/market/accounts/makeAccount.ts"
import { deliverEvents } from "../../../src/market/events/deliverEvents.ts"
import { emit } from "../../../src/market/events/emit.ts"
import { addEndpoint, enableEndpoint, findEndpoint } from "../../../src/market/events/endpoints.ts"
import { replay } from "../../../src/market/events/deliveries.ts"
import { listDeliveries } from "../../../src/market/events/listDeliveries.ts"
import { MarketClock } from "../../../src/market/state/MarketClock.ts"
import { State, stateLayer, type Transaction } from "../../../src/market/state/State.ts"
import { tables } from "../../../src/market/serveSandbox.ts"
import { makeReceiver } from "./Receiver.ts"

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
    secret,
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

layer(market)("a delivery", (it) => {
  it.effect("is verified by the published library and arrives right after its write", () =>
    Effect.gen(function* () {
      const { receiver, tellOne, deliveries } = yield* subscribed
      yield* tellOne
      assert.deepStrictEqual(
        receiver.received.map(({ verdict }) => verdict),
        ["new"]
      )
      assert.strictEqual(receiver.received[0]?.headers["content-type"], "application/json")
      assert.strictEqual(JSON.parse(receiver.received[0]?.body ?? "").type, "balance.updated")
      assert.deepStrictEqual(
        deliveries().map(({ state, nextAttemptAt, attempts }) => [state, nextAttemptAt, attempts.length]),
        [["delivered", null, 1]]
      )
    })
  )

  it.effect(
    "that was tampered with or is old is refused by the receiver, and one that comes again is known to it",
    () =>
      Effect.gen(function* () {
        const { receiver, secret, tellOne } = yield* subscribed
        yield* tellOne
        const [first] = receiver.received
        const send = (body: string, headers: Record<string, string> = {}) =>
          Effect.promise(() =>
            fetch(receiver.url, { method: "POST", body, headers: { ...first?.headers, ...headers } })
          )
        const body = first?.body ?? ""
        yield* send(body.replace(`"amount":1`, `"amount":9`))
        const sixMinutesAgo = new Date(new Date().getTime() - 360_000)
        const id = first?.headers["webhook-id"] ?? ""
        yield* send(body, {
          "webhook-timestamp": String(Math.floor(sixMinutesAgo.getTime() / 1000)),
          "webhook-signature": new Webhook(secret).sign(id, sixMinutesAgo, body)
        })
        yield* send(body, { "webhook-id": `${id}0` })
        yield* send(body)
        assert.deepStrictEqual(
          receiver.received.map(({ verdict }) => verdict),
          ["new", "refused", "refused", "refused", "again"]
        )
      })
  )

  it.effect("is tried at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h with the same id and body", () =>
    Effect.gen(function* () {
      const { receiver, deliveries, pass, tellOne } = yield* subscribed
      receiver.answerWith(Array.from({ length: 20 }, () => 500))
      yield* tellOne
      yield* pass(28 * hour)
      const [delivery] = deliveries()
      const times = delivery?.attempts.map(({ attemptedAt }) => Date.parse(attemptedAt)) ?? []
      const waits = times.slice(1).map((at, place) => Math.round((at - (times[place] ?? 0)) / 1000))
      const planned = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
      assert.deepStrictEqual(
        waits.map((wait, place) => Math.abs(wait - (planned[place] ?? 0)) <= 2),
        planned.map(() => true),
        waits.join(" ")
      )
      assert.deepStrictEqual([delivery?.state, delivery?.nextAttemptAt], ["failed", null])
      assert.strictEqual(new Set(receiver.received.map(({ body }) => body)).size, 1)
      assert.strictEqual(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1)
      assert.isTrue(receiver.received.every(({ verdict }) => verdict === "new"))
    })
  )

  it.effect("ends with the first 2xx; a redirection is a failure and is not followed", () =>
    Effect.gen(function* () {
      const { receiver, deliveries, pass, tellOne } = yield* subscribed
      receiver.answerWith([302, 404, 204])
      yield* tellOne
      yield* pass(28 * hour)
      const [delivery] = deliveries()
      assert.deepStrictEqual(
        delivery?.attempts.map(({ status }) => status),
        [302, 404, 204]
      )
      assert.strictEqual(delivery?.state, "delivered")
      assert.strictEqual(receiver.received.length, 3)
    })
  )

  it.effect("to an address where nothing listens is recorded as a failure without a status", () =>
    Effect.gen(function* () {
      const { account, pass, write } = yield* subscribed
      const { store } = yield* State
      const { id } = yield* write((tx) => Result.succeed(addEndpoint(tx, account, "http://127.0.0.1:1/")))
      yield* Effect.andThen(write(tell(account)), pass(0))
      const [delivery] = listDeliveries(store, { endpointId: id, limit: 1 })
      assert.deepStrictEqual(
        delivery?.attempts.map(({ status, error }) => ({ status, error })),
        [{ status: null, error: "no connection" }]
      )
    })
  )

  it.effect("whose attempt cannot be recorded is not sent again before it is", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual([receiver.received.length, deliveries()[0]?.attempts.length], [1, 0])
      store.run("drop trigger full")
      yield* Effect.promise(() => setTimeout(20)).pipe(
        Effect.repeat({ until: () => deliveries()[0]?.attempts.length === 1, times: 200 })
      )
      assert.deepStrictEqual(
        deliveries().map(({ attempts, state }) => [state, attempts.map(({ status }) => status)]),
        [["pending", [500]]]
      )
      assert.strictEqual(receiver.received.length, 1)
    })
  )

  it.effect("can be replayed: the same event comes again", () =>
    Effect.gen(function* () {
      const { deliveries, pass, receiver, tellOne, write } = yield* subscribed
      yield* tellOne
      const [delivery] = deliveries()
      yield* write((tx) => Result.succeed(replay(tx, delivery?.id ?? "")))
      yield* pass(0)
      assert.deepStrictEqual(
        receiver.received.map(({ verdict }) => verdict),
        ["new", "again"]
      )
      assert.strictEqual(deliveries()[0]?.attempts.length, 2)
    })
  )
})

layer(market)("an endpoint", (it) => {
  it.effect("that fails for 5 days is switched off, gets nothing more, and can be switched on again", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual([deliveries()[0]?.state, isOff()], ["delivered", false])
    })
  )

  it.effect("that answers now and then stays on", () =>
    Effect.gen(function* () {
      const { isOff, pass, receiver, tellOne } = yield* subscribed
      for (let day = 0; day < 8; day++) {
        receiver.answerWith(day === 3 ? [] : Array.from({ length: 12 }, () => 500))
        yield* tellOne
        yield* pass(24 * hour)
      }
      assert.isFalse(isOff())
    })
  )
})

layer(market)("a slow endpoint", (it) => {
  it.effect("does not hold up the others", () =>
    Effect.gen(function* () {
      const slow = yield* subscribed
      const quick = yield* subscribed
      slow.receiver.answerWith(["hang"])
      yield* slow.write(tell(slow.account))
      yield* slow.write(tell(quick.account))
      yield* Effect.promise(() => setTimeout(20)).pipe(
        Effect.repeat({ until: () => quick.deliveries()[0]?.state === "delivered", times: 200 })
      )
      assert.strictEqual(quick.deliveries()[0]?.state, "delivered")
      assert.deepStrictEqual(
        slow.deliveries().map(({ state, attempts }) => [state, attempts.length]),
        [["pending", 0]]
      )
    })
  )
})
