import { assert, describe } from "@effect/vitest"
import { Cause, Effect, Layer, Result } from "effect"
import { cpSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { emit } from "../../../src/market/events/emit.ts"
import { makeAccount } from "../../../src/market/accounts/accounts.ts"
import { makeMarketClock } from "../../../src/market/state/MarketClock.ts"
import { State, stateLayer, type Transaction } from "../../../src/market/state/State.ts"
import { ended, upload } from "../jobs/upload.ts"
import { ask, Served, makeTrader } from "../Served.ts"
import { tables } from "../../../src/market/serveSandbox.ts"
import { values } from "../../support/sandbox.ts"
import { newFolder, effect, live } from "../../support/suite.ts"

const open = (folder?: string) =>
  Effect.flatMap(Layer.build(stateLayer(folder, tables)), (context) => Effect.provideContext(State, context))
const named = (username: string) => (tx: Transaction) => Result.succeed(makeAccount(tx, { username }).id)
const names = "select username from accounts order by id"
const balance = { available: { amount: 1, currency: "EUR" }, pending: { amount: 0, currency: "EUR" } } as const

describe("State", () => {
  effect("keeps all of a write or nothing, its events too", function* () {
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
    assert.deepEqual([store.all(names).length, store.all("select * from events").length], [1, 0])
    yield* write((tx) => Result.succeed(undone(tx)))
    assert.deepEqual([store.all(names).length, store.all("select * from events").length], [2, 1])
  })

  effect("has what was answered when the process is killed, and gives no id twice", function* () {
    const folder = yield* newFolder
    const { write } = yield* open(folder)
    const before = yield* Effect.forEach(["one", "two"], (name) => write(named(name)))
    // The files as they are now are what a killed process leaves behind.
    const left = yield* newFolder
    cpSync(folder, left, { recursive: true })
    const again = yield* open(left)
    assert.deepEqual(values(again.store.all(names), "username"), ["one", "two"])
    const next = yield* again.write(named("three"))
    assert.isTrue(before.every((id) => id < next))
  })

  effect("is used by one sandbox at a time, and the other one is told", function* () {
    const folder = yield* newFolder
    yield* open(folder)
    const error = yield* Effect.flip(open(folder))
    assert.strictEqual(error._tag, "StateUnreadable")
    assert.match(error.message, /locked.*another folder: cardlake sandbox --state DIR/)
  })
})

describe("a state of layout 1, in which equal lines were one wherever they were", () => {
  live("has parts of lines, too, when it is opened again", function* () {
    const state = yield* newFolder
    const line = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 6 } as const
    const path = yield* Effect.gen(function* () {
      const { json } = yield* ask("/v1/inventory", { body: { lines: [line] } })
      return `/v1/inventory/${(json as unknown as { created: [{ id: string }] }).created[0].id}`
    }).pipe(Effect.provide(Served.layer({ state, scopes: ["*"] })))
    const database = new DatabaseSync(join(state, "state.sqlite"))
    database.exec(`
      drop index equal_lines;
      create unique index lines_by_identity on inventory_lines (account_id, identity) where custom_id is null;
      pragma user_version = 1;`)
    database.close()
    yield* Effect.gen(function* () {
      yield* ask("/v1/inventory/locations", { body: { name: "Deck" } })
      for (const change of [{ location: "Deck" }, { comment: "bent" }]) {
        const { json, status } = yield* ask(path, { method: "PATCH", body: { count: 2, ...change } })
        assert.deepEqual([status, json["line" as never]["quantity"]], [200, 2])
      }
      const { data } = (yield* ask("/v1/inventory")).json
      assert.deepEqual(values(data, "quantity", "location", "comment"), [
        [2, null, null],
        [2, "Deck", null],
        [2, null, "bent"]
      ])
    }).pipe(Effect.provide(Served.layer({ state, scopes: ["*"] })))
  })
})

describe("a full disk", () => {
  effect("is named by its folder, undoes the write, and hinders none when it has space again", function* () {
    const folder = yield* newFolder
    const { store, write } = yield* open(folder)
    const fill = write((tx) => {
      for (let more = 0; more < 1000; more++) makeAccount(tx, { username: `${more} ${"x".repeat(1000)}` })
      return Result.succeed(undefined)
    })
    store.one("pragma max_page_count = 1")
    const error = Cause.squash(yield* Effect.flip(Effect.sandbox(fill)))
    assert.deepInclude(error, { message: `The disk of ${folder} is full. Free some space there and try again` })
    assert.deepEqual(store.all(names), [])
    store.one("pragma max_page_count = 1000000")
    yield* fill
    assert.strictEqual(store.all(names).length, 1000)
  })

  live("refuses an upload with 503 and its name, and the next one is taken", function* () {
    const state = yield* newFolder
    yield* Effect.gen(function* () {
      const trader = yield* makeTrader("full")
      const send = upload(trader, "a.csv", "productId,finish,condition,language,quantity\n10007,Standard,NM,en,1\n")
      const first = yield* ended(trader, (yield* send).job.id)
      // The next files that are written are on a device that is always full.
      const taken = Number.parseInt(first.id, 16)
      const files = Array.from({ length: 20 }, (_, at) =>
        join(state, "files", (taken + 1 + at).toString(16).padStart(24, "0"))
      )
      for (const file of files) symlinkSync("/dev/full", file)
      const refused = yield* upload(trader, "a.csv", "x".repeat(100_000))
      assert.deepEqual([refused.status, refused.code], [503, "SERVICE_UNAVAILABLE"])
      assert.include(refused.message, `The disk of ${join(state, "files")} is full`)
      for (const file of files) rmSync(file, { force: true })
      assert.strictEqual((yield* ended(trader, (yield* send).job.id)).status, "completed")
    }).pipe(Effect.provide(Served.layer({ state })))
  })
})

describe("the marketplace's time", () => {
  live("ends with the year 9998, and says so", function* () {
    const state = yield* newFolder
    const left = Date.UTC(9998, 11, 31, 23) - new Date().getTime()
    yield* Effect.scoped(
      Effect.map(open(state), ({ store }) => store.run("update clock set offset_millis = :left", { left }))
    )
    yield* Effect.gen(function* () {
      const step = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })
      assert.strictEqual((yield* step(1800)).status, 200)
      const { json, status } = yield* step(1800)
      assert.deepEqual([status, json.code], [400, "BAD_REQUEST"])
      assert.strictEqual(json.message, "seconds: the marketplace's time ends at 9999-01-01T00:00:00.000Z")
      assert.strictEqual((yield* ask("/v1/account/me")).status, 200)
    }).pipe(Effect.provide(Served.layer({ state })))
  })
})

describe("the clock", () => {
  live("moves on past work that does not end, and says so of work that never gets later", function* () {
    const clock = makeMarketClock(0, () => undefined, { machineNow: () => 0, maxWaitMillis: 20 })
    let next = 1
    clock.register({
      name: "deliveries",
      nextAt: () => next,
      run: Effect.sync(() => void next++),
      settled: Effect.never
    })
    yield* clock.advance(150_000)
    assert.deepEqual([clock.now(), next], [150_000, 150_001])
    clock.register({ name: "the clockwork", nextAt: () => 150_000, run: Effect.void })
    const error = Cause.squash(yield* Effect.flip(Effect.sandbox(clock.advance(1))))
    assert.strictEqual(String(error), "Error: the clockwork is due again and again")
  })

  effect("does what falls due in order, each at its own time, and never goes back", function* () {
    let kept = 0
    const clock = makeMarketClock(0, (offset) => void (kept = offset), { machineNow: () => 1_000 })
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
    assert.deepEqual(done, ["retry 3000 at 3000", "close 5000 at 5000", "retry 9000 at 9000"])
    assert.deepEqual([clock.now(), kept], [11_000, 10_000])
  })
})
