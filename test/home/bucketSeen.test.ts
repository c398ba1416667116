import { assert, it } from "@effect/vitest"
import { tmpdir } from "node:os"
import { startCollector } from "../observe/Collector.ts"
import { startCardlake } from "../pipelines/cli.ts"
import { address, tinyBucket } from "./tinyBucket.ts"

it("a night in a bucket is seen from outside: by the bucket's address, the attempt and the worker, and not by a folder of this machine", async () => {
  const [tiny, collector] = [await tinyBucket(), await startCollector()]
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
  const spans = bodies.find((body) => body.includes("resourceSpans")) ?? ""
  for (const name of ["service.instance.id", "cardlake.attempt", "cardlake.game"]) assert.include(spans, `"${name}"`)
  assert.include(bodies.find((body) => body.includes("resourceMetrics")) ?? "", '"service.instance.id"')
  for (const body of bodies) assert.notInclude(body, tmpdir())
  await tiny.stop()
})
