import { afterAll, assert, it } from "@effect/vitest"
import { said, tinyBucket } from "./tinyBucket.ts"
import { isFull } from "../../tried.ts"
import { gameId } from "../lake/invented.ts"

const tiny = await tinyBucket()
afterAll(tiny.stop)

const hasRuns = () => [...tiny.store.objects.keys()].some((key) => /^tiny\/shared\/runs\/.*\/runs\./.test(key))

it("a lake.json that a first publisher is about to write is not one that was gone", async () => {
  const swap = { waits: Promise.withResolvers<void>(), goesOn: Promise.withResolvers<void>() }
  tiny.store.state.before = async ({ method, url = "" }) => {
    if (method !== "PUT" || !url.includes("/tiny/lake.json") || !hasRuns()) return false
    swap.waits.resolve()
    await swap.goesOn.promise
    return false
  }
  const first = tiny.start("nightly", "--json")
  await swap.waits.promise
  const runs = await tiny.run("runs")
  assert.deepStrictEqual([runs.code, runs.stderr], [0, ""])
  const second = tiny.start("nightly", "--json")
  await second.shows("reading")
  swap.goesOn.resolve()
  const ended = [await first.ended, await second.ended]
  tiny.store.state.before = () => false
  for (const { code, stderr } of ended) {
    assert.strictEqual(code, 0, stderr)
    assert.notInclude(stderr, "was gone")
  }
  assert.sameMembers(ended.flatMap(said), [`${gameId} published`, `${gameId} unchanged`])
})

it.runIf(isFull)("publishers that begin a home at the same time say nothing of a lake.json that was gone", async () => {
  for (let round = 0; round < 2; round++) {
    tiny.store.objects.clear()
    const ended = await Promise.all([1, 2, 3].map(() => tiny.start("nightly", "--json").ended))
    for (const { code, stderr } of ended) {
      assert.strictEqual(code, 0, stderr)
      assert.notInclude(stderr, "was gone")
    }
  }
})
