import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emit } from "../../../src/market/events/emit.ts"
import { makeAccount } from "../../../src/market/accounts/makeAccount.ts"
import { makeMarketClock } from "../../../src/market/state/MarketClock.ts"
import { State, stateLayer, type Transaction } from "../../../src/market/state/State.ts"
import { tables } from "../../../src/market/tables.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-state-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)
const open = (folder?: string) =>
  Effect.flatMap(Layer.build(stateLayer(folder, tables)), (context) => Effect.provideContext(State, context))
const named = (username: string) => (tx: Transaction) => Result.succeed(makeAccount(tx, { username }).id)
const names = "select username from accounts order by id"
const balance = { available: { amount: 1, currency: "EUR" }, pending: { amount: 0, currency: "EUR" } } as const

describe("State", () => {
  it.effect("keeps all of a write or nothing, its events too", () =>
    Effect.gen(function* () {
      const { store, write } = yield* open()
      const account = yield* write(named("kept"))
      const undone = (tx: Transaction) => {
        makeAccount(tx, { username: "undone" })
        emit(tx, account, { type: "balance.updated", data: { ...balance, updatedAt: tx.at } })
      }
      yield* Effect.exit(write((tx) => (undone(tx), Result.fail("refused"))))
      yield* Effect.exit(
        write((tx) => {
          undone(tx)
          throw new Error("unexpected")
        })
      )
      assert.deepStrictEqual([store.all(names).length, store.all("select * from events").length], [1, 0])
      yield* write((tx) => Result.succeed(undone(tx)))
      assert.deepStrictEqual([store.all(names).length, store.all("select * from events").length], [2, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("has what was answered when the process is killed, and gives no id twice", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const { write } = yield* open(folder)
      const before = yield* Effect.forEach(["one", "two"], (name) => write(named(name)))
      // The files as they are now are what a killed process leaves behind.
      const left = yield* temporary
      cpSync(folder, left, { recursive: true })
      const again = yield* open(left)
      assert.deepStrictEqual(
        again.store.all<{ username: string }>(names).map(({ username }) => username),
        ["one", "two"]
      )
      const next = yield* again.write(named("three"))
      assert.isTrue(before.every((id) => id < next))
    }).pipe(Effect.scoped)
  )

  it.effect("is used by one sandbox at a time, and the other one is told", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      yield* open(folder)
      const error = yield* Effect.flip(open(folder))
      assert.strictEqual(error._tag, "StateUnreadable")
      assert.match(error.message, /locked.*another folder: cardlake sandbox --state DIR/)
    }).pipe(Effect.scoped)
  )
})

describe("the clock", () => {
  it.effect("does what falls due in order, each at its own time, and never goes back", () =>
    Effect.gen(function* () {
      let kept = 0
      const clock = makeMarketClock(
        0,
        (offset) => void (kept = offset),
        () => 1_000
      )
      const done: Array<string> = []
      const works = (name: string, times: Array<number>) =>
        clock.register({
          name,
          nextAt: () => times[0],
          run: Effect.sync(() => void done.push(`${name} ${times.shift()} at ${clock.now()}`))
        })
      works("retry", [3_000, 9_000, 20_000])
      works("close", [5_000])
      yield* clock.advance(10_000)
      assert.deepStrictEqual(done, ["retry 3000 at 3000", "close 5000 at 5000", "retry 9000 at 9000"])
      assert.deepStrictEqual([clock.now(), kept], [11_000, 10_000])
    })
  )
})
