import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { clientOf, control, makeTrader, ask, sampleFolder, search, Served } from "../Served.ts"
import { tried } from "../../tried.ts"
import { suite, values } from "../../support/sandbox.ts"
import { newFolder, effect } from "../../support/suite.ts"

const filling = { seed: 5, accounts: 4, orders: 12 }
const accounts = { source: "The accounts", accounts: [{ username: "ann", keys: [{ key: "ann-key" }] }] } as const
const card = { productId: 10_007, finish: "Standard", language: "en", condition: "NM", quantity: 3 } as const
const faults = { rules: [{ endpoint: "account", kind: "server-error", at: [1] }] } as const

/** What a developer can see, but for the times. */
const seen = Effect.gen(function* () {
  const { controlAccounts, controlClock, controlFaults, controlFeeds, controlOrders, controlWebhooks } = yield* control
  const { controlDialect } = yield* control
  const { inventory } = yield* clientOf("cl_sandbox_5_seller-1")
  const orders = yield* controlOrders.orders({ query: { limit: 1000 } })
  const lines = yield* inventory.lines({ query: { limit: 100 } })
  const { now } = yield* controlClock.clock({})
  return {
    accounts: yield* controlAccounts.accounts({}),
    keys: (yield* controlAccounts.keys({})).data.map(({ createdAt: _at, ...key }) => key),
    orders: orders.data.map(({ placedAt: _at, ...order }) => order),
    lines: lines.data.map(({ updatedAt: _at, ...line }) => line),
    isNow: Math.abs(Date.parse(now) - new Date().getTime()) < 60_000,
    feeds: yield* controlFeeds.feedSettings({}),
    faults: yield* controlFaults.faults({}),
    dialect: yield* controlDialect.dialect({}),
    webhooks: yield* controlWebhooks.endpoints({}),
    product: (yield* ask("/v1/products/10007", { key: "ann-key" })).json as unknown,
    changelog: (yield* ask("/v1/feeds/emberfall/changelog", { key: "ann-key" })).json as unknown
  }
})

/** Moves everything that can be moved. */
const move = Effect.gen(function* () {
  const { controlAccounts, controlClock, controlDeploy, controlFeeds, controlWebhooks, controlDialect } = yield* control
  const { account } = yield* controlAccounts.createAccount({ payload: { username: "new" } })
  yield* controlWebhooks.createEndpoint({ payload: { accountId: account.id, url: "http://127.0.0.1:9/" } })
  const { inventory } = yield* clientOf("cl_sandbox_5_seller-1")
  yield* inventory.createLines({
    payload: { lines: [{ ...card, listing: { price: { amount: 0.05, currency: "EUR" } } }] }
  })
  yield* controlClock.advanceClock({ payload: { seconds: 40 * 86_400 } })
  yield* controlDeploy.deploy({ payload: { gameId: "emberfall" } })
  yield* controlFeeds.changeFeeds({ payload: { missing: ["tidewrack"] } })
  yield* ask("/v1/account/me", { key: "ann-key" })
  yield* search({ gameFilters: { game: "emberfall" } })
  yield* controlDialect.changeDialect({ payload: { dialect: "live" } })
})

const reset = (body: unknown) => ask("/sandbox/reset", { body })

suite(Served.layer({ filling, accounts, faults }))("a reset", (it) => {
  it("puts accounts, keys, stock, orders, clock, deployments, feeds, dialect, webhooks and faults back", function* () {
    const start = yield* seen
    yield* move
    assert.deepEqual((yield* reset({})).json as unknown, { reset: true })
    assert.deepEqual(yield* seen, start)
    yield* move
    yield* reset({})
    assert.deepEqual(yield* seen, start)
  })

  it("lets requests that are under way end, and those that come meanwhile wait", function* () {
    const places = Array.from({ length: 40 }, (_, at) => at)
    const reads = tried(places, (at) => at < 20).map((at) =>
      at % 10 === 5 ? reset({}) : ask(`/v1/products?limit=${1 + at}`, { key: "ann-key" })
    )
    const answers = yield* Effect.all(reads, { concurrency: "unbounded" })
    assert.deepEqual([...new Set(values(answers, "status"))], [200])
  })

  it("needs no body", function* () {
    yield* makeTrader("late")
    const { origin } = yield* Served
    const { status } = yield* Effect.promise(() => fetch(`${origin}/sandbox/reset`, { method: "POST" }))
    assert.strictEqual(status, 200)
    assert.notInclude(JSON.stringify((yield* ask("/sandbox/accounts")).json), "late")
  })
})

describe("a reset with --state", () => {
  effect("needs the folder's name, and removes nothing else of the folder", function* () {
    const folder = yield* newFolder
    const serve = serveSandbox({ catalogue: sampleFolder, state: folder, filling })
    writeFileSync(join(folder, "notes.txt"), "mine")
    mkdirSync(join(folder, "files"))
    writeFileSync(join(folder, "files/thesis.txt"), "mine")
    yield* Effect.gen(function* () {
      yield* makeTrader("ann")
      for (const body of [{}, { state: "market" }, null]) {
        const { json, status } = yield* reset(body)
        assert.deepEqual([status, json.code, json.data["field"]], [400, "BAD_REQUEST", "state"])
        assert.include(json.message, `{"state":"${basename(folder)}"}`)
      }
      assert.include(JSON.stringify((yield* ask("/sandbox/accounts")).json), "ann")
      assert.strictEqual((yield* reset({ state: basename(folder) })).status, 200)
      const names = JSON.stringify((yield* ask("/sandbox/accounts")).json)
      assert.notInclude(names, "ann")
      assert.include(names, "seller-1")
      yield* makeTrader("ben")
    }).pipe(Effect.provideServiceEffect(Served, serve), Effect.scoped)
    const kept = Effect.map(ask("/sandbox/accounts"), ({ json }) => JSON.stringify(json))
    const again = yield* kept.pipe(Effect.provideServiceEffect(Served, serve), Effect.scoped)
    assert.include(again, "ben")
    for (const name of ["notes.txt", "files/thesis.txt"]) assert.isTrue(existsSync(join(folder, name)), name)
  })
})
