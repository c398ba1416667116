import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { address, type TinyBucket, tinyBucket } from "./tinyBucket.ts"

let tiny: TinyBucket
let copy: string
beforeAll(async () => {
  tiny = await tinyBucket()
  copy = join(tiny.work, "broken")
  assert.strictEqual((await tiny.run("nightly")).code, 0)
})
afterAll(() => tiny.stop())

const query = () => cardlake(["query", "--home", copy, "select 1"])

it("a copy whose first pull failed, and one that lost its lake, say to pull again, which mends them", async () => {
  const key = [...tiny.store.objects.keys()].find((one) => one.includes("/source_prices.")) ?? ""
  const stored = tiny.store.objects.get(key)
  tiny.store.objects.delete(key)
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 1)
  const again = new RegExp(`Run again: cardlake pull --home ${address} --to ${copy}$`)
  const ended = await query()
  assertFault(ended, 1, again)
  assert.include(ended.stderr, `There is no lake in ${copy} yet, no pull from ${address} has come to its end.`)
  if (stored !== undefined) tiny.store.objects.set(key, stored)
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  assert.strictEqual((await query()).code, 0)
  rmSync(join(copy, "lake.duckdb"))
  const gone = await query()
  assertFault(gone, 1, again)
  assert.include(gone.stderr, `lake.duckdb is gone from ${copy}, a copy of ${address}.`)
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  assert.strictEqual((await query()).code, 0)
})
