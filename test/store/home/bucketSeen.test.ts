import { assert, it } from "@effect/vitest"
import { existsSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startCollector } from "../../night/observe/Collector.ts"
import { assertFault, cardlake, startCardlake } from "../../pipelines/cli.ts"
import { card, gameId } from "../lake/invented.ts"
import { address, savedBucket, tinyBucket } from "./tinyBucket.ts"

/** One night. */
const { keyOf, lose, saved, tiny } = await savedBucket(({ run }) => run("nightly"))

it("a night in a bucket is seen from outside: by the bucket's address, the attempt and the worker, and not by a folder of this machine", async () => {
  tiny.store.objects.clear()
  const collector = await startCollector()
  const env = { ...tiny.env(address), OPENLINEAGE_URL: collector.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { code, stderr } = await startCardlake(["nightly"], { env }).ended
  await collector.stop()
  assert.strictEqual(code, 0, stderr)
  const bodies = collector.received.map(({ body }) => body)
  const end = bodies.find((body) => body.includes('"COMPLETE"')) ?? "{}"
  const { outputs } = JSON.parse(end) as { outputs: ReadonlyArray<{ namespace: string; name: string }> }
  assert.deepInclude(
    outputs.map(({ name, namespace }) => [namespace, name]),
    ["s3://lakes", "tiny/products"]
  )
  const spans = bodies.filter((body) => body.includes("resourceSpans")).join()
  for (const name of ["service.instance.id", "cardlake.attempt", "cardlake.game"]) assert.include(spans, `"${name}"`)
  assert.include(bodies.find((body) => body.includes("resourceMetrics")) ?? "", '"service.instance.id"')
  for (const body of bodies) assert.notInclude(body, tmpdir())
})

it("doctor counts the requests of the next night of a bucket, as it knows what is published there", async () => {
  const findings = JSON.parse((await tiny.run("doctor", "--json")).stdout) as ReadonlyArray<{
    readonly name: string
    readonly night?: { readonly requests: number }
  }>
  const { requests } = JSON.parse((await tiny.run("nightly", "--json")).stdout) as { readonly requests: number }
  assert.strictEqual(findings.find(({ name }) => name === "limits")?.night?.requests, requests)
})

it("a copy of what nobody has published is refused, and leaves no folder", async () => {
  tiny.store.objects.clear()
  const to = join(tiny.work, "copy")
  const pulled = () => cardlake(["pull", "--home", address, "--to", to], { env: tiny.store.env })
  const misspelt = await pulled()
  assert.strictEqual(misspelt.code, 1)
  assert.include(misspelt.stderr, `Nothing has been published at ${address}. Correct CARDLAKE_HOME or --home`)
  // The document of the lake is there, but no game.
  assert.strictEqual((await tiny.run("plan")).code, 0)
  assert.strictEqual((await pulled()).code, 1)
  assert.isFalse(existsSync(to))
})

it("a night in a bucket names the copy in which its rows can be queried", async () => {
  const odd = await tinyBucket({ [gameId]: [{ products: [card(1, { surprise: 1 })] }] })
  const { stdout } = await odd.run("nightly", "--home", address)
  assert.include(stdout, 'cardlake query --home DIR "from drift"')
  assert.include(stdout, `\nDIR is a copy of the lake: cardlake pull --home ${address} --to DIR\n`)
  await odd.stop()
})

it("a worker does not wait where others have learned the limits of the key, and nothing of them is used", async () => {
  for (let night = 0; night < 2; night++) {
    const { waitedSeconds } = JSON.parse((await tiny.run("nightly", "--json")).stdout) as { waitedSeconds: number }
    assert.isBelow(waitedSeconds, 1)
  }
})

it("what somebody put beside a home in a bucket, such as a lake.duckdb, stays there", async () => {
  const [named] = [...tiny.store.objects.values()]
  assert.isDefined(named)
  tiny.store.objects.set("tiny/lake.duckdb", named)
  for (let week = 1; week < 4; week++) {
    tiny.store.state.clock = week * 8 * 24 * 3600 * 1000
    assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
  }
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.strictEqual(tiny.store.objects.get("tiny/lake.duckdb"), named)
})

it("a game that a bucket does not have is refused with those that it has, whatever the command", async () => {
  const keys = [...tiny.store.objects.keys()]
  for (const [command, ...rest] of [
    ["release", "--yes"],
    ["rollback", "--yes"],
    ["diff"],
    ["compact"],
    ["replay"],
    ["backfill"]
  ]) {
    const { code, stderr } = await tiny.run(command ?? "", "nosuch", ...rest)
    assert.deepStrictEqual([code, stderr.includes(`It has: ${gameId}`)], [2, true], `${command}: ${stderr}`)
  }
  assert.deepStrictEqual([...tiny.store.objects.keys()], keys)
})

it("a copy whose first pull failed, and one that lost its lake, say to pull again, which mends them", async () => {
  const copy = join(tiny.work, "broken")
  const query = () => cardlake(["query", "--home", copy, "select 1"])
  const pull = async () => (await tiny.run("pull", "--to", copy)).code
  const again = new RegExp(`Run again: cardlake pull --home ${address} --to ${copy}$`)
  const key = keyOf(/\.source_prices\./)
  lose(key)
  assert.strictEqual(await pull(), 1)
  const ended = await query()
  assertFault(ended, 1, again)
  assert.include(ended.stderr, `There is no lake in ${copy} yet, no pull from ${address} has finished.`)
  const stored = saved.get(key)
  if (stored !== undefined) tiny.store.objects.set(key, stored)
  assert.deepStrictEqual([await pull(), (await query()).code], [0, 0])
  rmSync(join(copy, "lake.duckdb"))
  const gone = await query()
  assertFault(gone, 1, again)
  assert.include(gone.stderr, `lake.duckdb is missing in ${copy}, a copy of ${address}.`)
  assert.deepStrictEqual([await pull(), (await query()).code], [0, 0])
})
