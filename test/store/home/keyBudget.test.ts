import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { setTimeout } from "node:timers/promises"
import { sendError } from "../../feed/client/StrangeServer.ts"
import { startLimitedService } from "./budgetService.ts"
import { budgetWorkers } from "./budgetWorkers.ts"
import { type ConditionalStore, startConditionalStore } from "./conditionalStore.ts"

const key = "cl_test_5d0c1b7e92af4836"
const limit = 300
/** Longer than what a worker is asked to wait, or it would take that for a longer window. */
const minute = 6000

describe("workers that share a key and a home in a bucket", () => {
  let store: ConditionalStore
  let service: Awaited<ReturnType<typeof startLimitedService>>
  let workers: ReturnType<typeof budgetWorkers>
  beforeAll(async () => {
    store = await startConditionalStore()
    service = await startLimitedService(limit, minute)
    workers = budgetWorkers(store.env, minute)
    const hour = 3_600_000
    await Promise.all([0, hour, -hour].map((off) => workers.begin("many", { key, off, url: service.url })))
  })
  afterAll(async () => {
    await workers.stop()
    await service.stop()
    await store.stop()
  })

  it("ask no faster than its limit, whatever their clocks say, and nothing in the bucket says the key", async () => {
    await setTimeout(2 * minute)
    const { most, refused, requests } = service.countsOf(key)
    assert.strictEqual(refused, 0)
    assert.isAtMost(most, limit)
    assert.isAbove(requests, limit / 2)
    for (const [name, { body }] of store.objects) assert.notInclude(`${name} ${body.toString("utf8")}`, key)
  })

  it("all wait for what one of them is asked to wait", async () => {
    const held = Promise.withResolvers<number>()
    let isHeld = false
    service.state.before = (response) => {
      if (isHeld) return false
      isHeld = true
      held.resolve(performance.now())
      sendError(response, 429, "TOO_MANY_REQUESTS", { bucket: "global", limit, retryAfter: 5 }, { "retry-after": "5" })
      return true
    }
    const heldAt = await held.promise
    await setTimeout(4500)
    // A lease that another one has ends within a twentieth of a minute, or four answers of the store.
    assert.strictEqual(service.between(key, heldAt + 1500, heldAt + 4500), 0)
    for (let tries = 0; service.between(key, heldAt + 5000, Infinity) === 0 && tries < 100; tries++)
      await setTimeout(100)
    assert.isAbove(service.between(key, heldAt + 5000, Infinity), 0)
    assert.strictEqual(service.countsOf(key).refused, 0)
  })
})
