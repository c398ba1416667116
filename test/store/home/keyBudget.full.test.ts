import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { setTimeout } from "node:timers/promises"
import { sendError } from "../../feed/client/StrangeServer.ts"
import { startSandbox } from "../../pipelines/cli.ts"
import { startLimitedService, budgetWorkers } from "./budgetWorkers.ts"
import { type ConditionalStore, startConditionalStore } from "./conditionalStore.ts"

const key = "cl_test_5d0c1b7e92af4836"
const other = "cl_test_77e1d2c84b9f0a35"

describe("workers that share a key, whose minute has six seconds", () => {
  const limit = 300
  const minute = 6000
  let store: ConditionalStore
  let service: Awaited<ReturnType<typeof startLimitedService>>
  let workers: ReturnType<typeof budgetWorkers>
  beforeAll(async () => {
    store = await startConditionalStore()
    workers = budgetWorkers(store.env, minute)
  })
  beforeEach(async () => {
    service = await startLimitedService(limit, minute)
  })
  afterEach(async () => {
    await workers.stop()
    await service.stop()
  })
  afterAll(() => store.stop())

  const begin = (home: string, count: number, of = key) =>
    Promise.all(Array.from({ length: count }, () => workers.begin(home, { key: of, url: service.url })))
  const assertWithin = (of = key) => {
    const { most, refused } = service.countsOf(of)
    assert.strictEqual(refused, 0)
    assert.isAtMost(most, limit)
  }

  it("all wait for what one of them is asked to wait, also those whose clocks are off", async () => {
    const hour = 3_600_000
    await Promise.all([0, hour, -hour].map((off) => workers.begin("many", { key, off, url: service.url })))
    const held = Promise.withResolvers<number>()
    service.state.before = (response) => {
      service.state.before = () => false
      held.resolve(performance.now())
      sendError(response, 429, "TOO_MANY_REQUESTS", { bucket: "global", limit, retryAfter: 5 }, { "retry-after": "5" })
      return true
    }
    const heldAt = await held.promise
    await setTimeout(4500)
    // A lease that another one has ends within a twentieth of a minute, or four answers of the store.
    assert.strictEqual(service.between(key, heldAt + 1500, heldAt + 4500), 0)
    await setTimeout(minute)
    assert.isAbove(service.between(key, heldAt + 5000, Infinity), 0)
    assertWithin()
  })

  it("go on without one that was killed, and one that froze uses nothing of what it had", async () => {
    const [, frozen, killed] = await begin("lost", 3)
    await setTimeout(minute / 4)
    killed?.process.kill("SIGKILL")
    frozen?.process.kill("SIGSTOP")
    const stoppedAt = performance.now()
    await setTimeout(1.5 * minute)
    assert.isAbove(service.between(key, stoppedAt + minute, Infinity), 0)
    frozen?.process.kill("SIGCONT")
    await setTimeout(minute)
    assertWithin()
  })

  it("wait for a lease and a minute where the budget's document is gone", async () => {
    await begin("gone", 2)
    await setTimeout(minute / 2)
    const name = [...store.objects.keys()].find((one) => one.startsWith("gone/keys/")) ?? ""
    store.objects.delete(name)
    const goneAt = performance.now()
    await setTimeout(3 * minute)
    assertWithin()
    assert.isTrue(store.objects.has(name))
    assert.isAbove(service.between(key, goneAt + minute, Infinity), 0)
  })

  it("hear from one answer what is left, where a home is not new and has no document", async () => {
    const there = { body: Buffer.from("{}"), tag: '"1"', at: new Date() }
    store.objects.set("old/games/emberfall/any.json", there)
    const before = 200
    for (let asked = 0; asked < before; asked++)
      await fetch(`${service.url}/v1/games`, { headers: { authorization: `Bearer ${key}` } })
    const beganAt = performance.now()
    await begin("old", 2)
    await setTimeout(minute)
    assertWithin()
    assert.isAbove(service.between(key, beganAt, Infinity), 0)
  })

  it("have a limit of their own for each key", async () => {
    await Promise.all([begin("two", 2), begin("two", 2, other)])
    await setTimeout(2 * minute)
    for (const of of [key, other]) {
      assertWithin(of)
      assert.isAbove(service.countsOf(of).requests, limit / 2)
    }
    assert.lengthOf(
      [...store.objects.keys()].filter((name) => name.startsWith("two/keys/")),
      2
    )
  })
})

describe("five workers and the sandbox", () => {
  const perMinute = 600
  const minutes = 3

  it(`ask nearly ${perMinute} times a minute, and never more`, async () => {
    const store = await startConditionalStore()
    const sandbox = await startSandbox({ key, rateLimit: perMinute, rateWindow: "sliding" })
    const workers = budgetWorkers(store.env, 60_000)
    await Promise.all(Array.from({ length: 5 }, () => workers.begin("five", { key, url: sandbox.url })))
    store.state.requests.length = 0
    await setTimeout(minutes * 60_000)
    const { accounts } = (await (await fetch(`${sandbox.url}/sandbox/limits`)).json()) as {
      accounts: ReadonlyArray<{ requests: number; refused: number; maxPerMinute: number }>
    }
    const writes = store.state.requests.filter((request) => request.startsWith("PUT")).length
    const reads = store.state.requests.length - writes
    const said = await workers.stop()
    await sandbox.stop()
    await store.stop()
    const [account] = accounts
    console.log(
      `Five workers, ${minutes} minutes: ${account?.requests} requests of ${minutes * perMinute} allowed, at most ${account?.maxPerMinute} a minute, ${account?.refused} refused; of the store ${writes} writes, ${reads} reads\n${said.join("")}`
    )
    assert.strictEqual(account?.refused, 0)
    assert.isAtMost(account?.maxPerMinute ?? Infinity, perMinute)
    assert.isAtLeast(account?.requests ?? 0, 0.8 * minutes * perMinute)
  })
})
