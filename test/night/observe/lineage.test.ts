import { Observation } from "../../../src/night/observe/Observation.ts"
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { join } from "node:path"
import { run } from "../../../pipelines/night/run.ts"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { makeScrub } from "../../../src/feed/client/scrub.ts"
import { exportWithLineage } from "../../../src/night/observe/lineage/exportLineage.ts"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { contractsIn, dropRows, temporaryFolder } from "../../warehouse/FourNights.ts"
import { fileRows, lakeRows } from "../../store/lake/tableRows.ts"
import { sampleFolder } from "../../market/Served.ts"
import { startCollector } from "./Collector.ts"
import { live } from "../../support/suite.ts"
import { isFull } from "../../tried.ts"

interface Told {
  readonly eventType: string
  readonly run: { readonly runId: string; readonly facets: { readonly errorMessage?: { readonly message: string } } }
  readonly job: { readonly namespace: string; readonly name: string }
  readonly inputs: ReadonlyArray<{ readonly namespace: string; readonly name: string }>
  readonly outputs: ReadonlyArray<{
    readonly namespace: string
    readonly name: string
    readonly facets: {
      readonly schema: { readonly fields: ReadonlyArray<{ readonly name: string; readonly type: string }> }
    }
    readonly outputFacets: { readonly outputStatistics: { readonly rowCount: number } }
  }>
}

const whole = {
  games: [],
  span: { since: null, until: null, backfill: true },
  compression: "snappy",
  decimals: "text",
  format: null
} as const

const game = "clockwork-orchard"
const token = "lineage-token-4711"

live("nights and exports tell the receiver of OPENLINEAGE_URL what they read and wrote, and no secret", function* () {
  const folder = yield* temporaryFolder
  const sandbox = yield* serveSandbox({ catalogue: sampleFolder })
  const collector = yield* Effect.promise(() => startCollector())
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: join(folder, "home") }
  const said: Array<string> = []
  const receiver = ConfigProvider.layer(
    ConfigProvider.fromUnknown({ OPENLINEAGE_URL: `${collector.url}/base`, OPENLINEAGE_API_KEY: token })
  )
  const night = (exportTo: string | null, more: Record<string, string>) =>
    run({
      games: [game],
      settings: { ...settings, ...more },
      part: null,
      cluster: null,
      log: "text",
      show: { onProgress: () => {}, stop: () => {} },
      prometheus: null,
      notify: null,
      exportTo
    }).pipe(
      Effect.scoped,
      Effect.provide(nightLog("text", (line) => said.push(line))),
      Effect.provideService(Observation, { hasEvents: true, scrub: makeScrub(sandbox.key) }),
      Effect.provide(receiver),
      Effect.provide(NodeServices.layer)
    )
  const drop = join(folder, "drop")
  yield* night(drop, {})
  const events = collector.received.map(({ body }) => JSON.parse(body) as Told)
  assert.deepStrictEqual(
    events.map(({ eventType, job }) => `${job.namespace} ${job.name} ${eventType}`),
    [
      "cardlake cardlake.nightly START",
      "cardlake cardlake.nightly COMPLETE",
      "cardlake cardlake.export START",
      "cardlake cardlake.export COMPLETE"
    ]
  )
  const [begun, read, , exported] = events
  assert.strictEqual(begun?.run.runId, read?.run.runId)
  assert.notStrictEqual(read?.run.runId, exported?.run.runId)
  for (const { body, headers, path } of collector.received) {
    assert.strictEqual(path, "/base/api/v1/lineage")
    assert.strictEqual(headers["authorization"], `Bearer ${token}`)
    assert.notInclude(body, sandbox.key)
    assert.notInclude(body, token)
  }

  const services = lakeServices(settings)
  const asked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(Effect.provide(services), Effect.provide(NodeServices.layer))
  assert.deepStrictEqual(
    read?.inputs.map((one) => [one.namespace, one.name]),
    [[new URL(sandbox.url).origin, `v1/feeds/${game}`]]
  )
  for (const { facets, name, namespace, outputFacets } of read?.outputs ?? []) {
    const table = name.slice(join(settings.CARDLAKE_HOME, "lake.duckdb/").length)
    assert.strictEqual(namespace, "file")
    const rows = yield* asked(lakeRows(`from ${table}`))
    assert.strictEqual(outputFacets.outputStatistics.rowCount, rows.length, table)
    if (rows[0] !== undefined) {
      assert.deepStrictEqual(
        facets.schema.fields.map((field) => field.name),
        Object.keys(rows[0]),
        table
      )
    }
  }
  assert.isAbove(read?.outputs.length ?? 0, 10)
  const contracts = contractsIn(drop)
  assert.sameMembers(
    exported?.outputs.map(({ name }) => name) ?? [],
    contracts.map(({ table }) => `${drop}/${table}/v=1`)
  )
  for (const { facets, name, outputFacets } of exported?.outputs ?? []) {
    const contract = contracts.find(({ table }) => name === `${drop}/${table}/v=1`)
    const [counted] = yield* asked(fileRows(`select count(*)::int as n ${dropRows(drop, contract?.table ?? "")}`))
    assert.strictEqual(outputFacets.outputStatistics.rowCount, counted?.["n"], name)
    assert.deepStrictEqual(
      facets.schema.fields.map(({ name: column, type }) => [column, type]),
      contract?.columns.map((one) => [one.name, one.type])
    )
  }
  const inputs = exported?.inputs.map((one) => one.name) ?? []
  assert.deepStrictEqual([...new Set(inputs)], inputs)
  assert.lengthOf(inputs, contracts.length - 1, "every table but one is its own source")
  const tableIn = (name: string) => name.slice(join(settings.CARDLAKE_HOME, "lake.duckdb/").length)
  for (const name of inputs) yield* asked(lakeRows(`from ${tableIn(name)} limit 0`))

  // A night that fails says why, without its key.
  collector.received.length = 0
  const wrong = `${sandbox.key}x`
  yield* Effect.exit(night(null, { CARDLAKE_API_KEY: wrong }))
  const [, failed] = collector.received.map(({ body }) => JSON.parse(body) as Told)
  assert.strictEqual(failed?.eventType, "FAIL")
  assert.include(failed?.run.facets.errorMessage?.message, "The marketplace refused the API key")

  if (isFull) {
    // Where a drop has decimals as text, its lineage says so, too.
    collector.received.length = 0
    const asText = join(folder, "text")
    const tables = ["expansion_languages", "source_prices"]
    yield* asked(
      exportWithLineage({ ...whole, to: asText, tables }).pipe(
        Effect.updateService(Observation, (one) => ({ ...one, scrub: makeScrub(sandbox.key) })),
        Effect.provide(receiver)
      )
    )
    const [, texts] = collector.received.map(({ body }) => JSON.parse(body) as Told)
    assert.deepStrictEqual(texts?.inputs.map(({ name }) => tableIn(name)).sort(), [
      "expansions",
      "nights",
      "source_prices"
    ])
    const types = new Map(
      contractsIn(asText).map(({ columns, table }) => [
        `${asText}/${table}/v=1`,
        columns.map(({ name, type }) => `${name} ${type}`)
      ])
    )
    assert.include(types.get(`${asText}/source_prices/v=1`) ?? [], "low VARCHAR")
    assert.deepStrictEqual(
      new Map(texts?.outputs.map(({ facets, name }) => [name, facets.schema.fields.map((f) => `${f.name} ${f.type}`)])),
      types
    )
  }

  // A receiver that cannot be reached fails no night.
  yield* Effect.promise(collector.stop)
  said.length = 0
  assert.strictEqual((yield* night(null, {})).verdict, "unchanged")
  assert.match(
    said.join(""),
    /The lineage of cardlake\.nightly did not reach http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/
  )
  assert.notInclude(said.join(""), "/base")
  assert.notInclude(said.join(""), token)
})
