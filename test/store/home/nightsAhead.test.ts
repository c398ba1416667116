import { assert, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { tinyBucket } from "./tinyBucket.ts"

it("nights in parts go on from the store's day after its clock was ahead once, and say so", async () => {
  const tiny = await tinyBucket()
  const planned = async () => {
    const { stderr, stdout } = await tiny.run("plan", "--json")
    return { stderr, ...(JSON.parse(stdout) as { readonly night: string }) }
  }
  const read = async (night: string) => {
    const { stdout } = await tiny.run("nightly", gameId, "--part-of", night, "--json")
    return (JSON.parse(stdout) as { readonly done: string }).done
  }
  tiny.store.state.clock = 70 * 365 * 24 * 3600 * 1000
  const ahead = await planned()
  assert.strictEqual(await read(ahead.night), "now")
  assert.strictEqual((await tiny.run("publish", ahead.night)).code, 0)
  tiny.store.state.clock = 0
  const now = await planned()
  assert.include(now.stderr, `was ${ahead.night}, which is ahead of the store's clock`)
  assert.strictEqual(now.night.slice(0, 10), new Date().toISOString().slice(0, 10))
  assert.strictEqual(await read(now.night), "now")
  assert.strictEqual((await tiny.run("publish", now.night)).code, 0)
  await tiny.stop()
})
