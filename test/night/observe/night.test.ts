import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { telemetry } from "../../../src/night/observe/observe.ts"
import {
  cardlake,
  filesBelow,
  json,
  key,
  remove,
  settings,
  startCardlake,
  startSandbox,
  temporaryFolder
} from "../../pipelines/cli.ts"
import type { Ended } from "../../pipelines/runHere.ts"
import { startCollector } from "./Collector.ts"
import { parseExposition } from "./expositionText.ts"
import { attributesOf, logsOf, metricsOf, resourceOf, spansOf } from "./otlpJson.ts"
import { effect } from "../../support/suite.ts"
import { isFull } from "../../tried.ts"

type Event = Readonly<Record<string, unknown>>
const eventsOf = ({ stderr }: Ended): ReadonlyArray<Event> =>
  stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Event)

const otel = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: "x-tenant = cards%20and%20more , x-scope=a",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test"
})

describe("a night with everything switched on", () => {
  let folder: string
  let night: Ended
  let marketplace: Awaited<ReturnType<typeof startSandbox>>
  let collector: Awaited<ReturnType<typeof startCollector>>
  let events: ReadonlyArray<Event>

  beforeAll(async () => {
    folder = temporaryFolder()
    const rules = [{ endpoint: "products", game: "tidewrack", kind: "server-error", status: 503, at: [1] }] as const
    marketplace = await startSandbox({ faults: { rules } })
    collector = await startCollector()
    // In a process of its own, because metrics count what the process has done.
    night = await startCardlake(
      [
        "nightly",
        "tidewrack",
        "clockwork-orchard",
        "--json",
        "--log",
        "json",
        "--prometheus",
        join(folder, "cardlake.prom"),
        "--notify",
        `${collector.url}/hook`
      ],
      { env: { ...settings(marketplace.url, join(folder, "lake")), ...otel(collector.url) } }
    ).ended
    assert.notInclude(night.stdout + night.stderr, key)
    events = eventsOf(night)
  })
  afterAll(async () => {
    await marketplace.stop()
    await collector.stop()
    remove(folder)
  })
  const sent = (path: string) =>
    collector.received.filter((one) => one.path === path).map((one) => JSON.parse(one.body) as unknown)

  it("prints its report on standard output and nothing else", () => {
    const report = json(night) as { readonly verdict: string }
    assert.strictEqual(report.verdict, "published")
  })

  it("logs one JSON object per event", () => {
    for (const event of events) {
      assert.isFalse(Number.isNaN(Date.parse(String(event["time"]))))
      assert.include(["info", "error"], event["level"])
      assert.isString(event["run"] ?? event["list"])
    }
    // A reading that takes long tells its pages, too.
    const kinds = new Set(events.map((event) => event["event"]).filter((kind) => kind !== "pages"))
    assert.deepStrictEqual([...kinds].toSorted(), ["game", "retry", "run", "stage", "verdict"])
  })

  it("logs the stages of a game with pages, records and seconds", () => {
    const stages = events.filter((event) => event["event"] === "stage" && event["game"] === "tidewrack")
    assert.strictEqual(stages.map(({ stage }) => stage).join(), "reading,loading")
    assert.isAbove(Number(stages[0]?.["pages"]), 4)
    assert.isAbove(Number(stages[0]?.["records"]), 700)
    assert.isNumber(stages[1]?.["seconds"])
  })

  it("logs how long it took to publish, once for all games", () => {
    const [publishing, ...more] = events.filter((event) => event["stage"] === "publishing")
    assert.hasAllKeys(publishing, ["time", "level", "event", "run", "stage", "seconds"])
    assert.deepStrictEqual(more, [])
  })

  it("logs a retry with what came before it and how long it waited", () => {
    const [retry, ...more] = events.filter((event) => event["event"] === "retry")
    assert.deepInclude(retry, { game: "tidewrack", list: "products", attempt: 2, after: "503" })
    assert.isAbove(Number(retry?.["waited"]), 0.2)
    assert.deepStrictEqual(more, [])
  })

  it("logs the verdict last, with the exit code", () => {
    assert.deepInclude(events.at(-1), { event: "verdict", verdict: "published", exitCode: 0, games: 2 })
  })

  it("sends the same report to the webhook", () => {
    assert.deepStrictEqual(sent("/hook"), [json(night)])
  })

  it("writes a Prometheus file", () => {
    const samples = parseExposition(readFileSync(join(folder, "cardlake.prom"), "utf8"))
    const products = samples.find(
      ({ labels, name }) => name === "cardlake_game_products" && labels["game"] === "tidewrack"
    )
    assert.strictEqual(products?.value, 698)
  })

  it("sends a span for the night, the run, each game and their steps, in one trace", () => {
    const spans = sent("/v1/traces").flatMap(spansOf)
    const named = (name: string) => spans.filter((span) => span.name === name)
    assert.strictEqual(new Set(spans.map((span) => span.traceId)).size, 1)
    for (const [name, times] of [
      ["night", 1],
      ["runNight", 1],
      ["game", 2],
      ["extractGame", 2],
      ["loadSnapshot", 2],
      ["publish", 1]
    ] as const) {
      assert.strictEqual(named(name).length, times, name)
    }
    const game = named("game").find((span) => attributesOf(span)["cardlake.game"] === "tidewrack")
    assert.strictEqual(game?.parentSpanId, named("runNight")[0]?.spanId)
    assert.strictEqual(game === undefined ? undefined : attributesOf(game)["cardlake.verdict"], "published")
    assert.isFalse(spans.some((span) => JSON.stringify(span).includes("/hook")))
  })

  it("sends metrics of pages, records, bytes, retries, refusals, stages and verdicts", () => {
    const metrics = sent("/v1/metrics").map(metricsOf).at(-1)
    const sum = (name: string, labels: Readonly<Record<string, string>>) =>
      (metrics?.get(name) ?? [])
        .filter(({ attributes }) => Object.entries(labels).every(([label, value]) => attributes[label] === value))
        .reduce((total, { value }) => total + value, 0)
    assert.isAtLeast(sum("cardlake.pages", { game: "tidewrack", list: "products" }), 4)
    assert.isAtLeast(sum("cardlake.records", { game: "tidewrack", list: "products" }), 700)
    assert.isAbove(sum("cardlake.received", { game: "tidewrack" }), 10_000)
    assert.strictEqual(sum("cardlake.retries", { game: "tidewrack" }), 1)
    assert.isAbove(sum("cardlake.waits", { game: "tidewrack" }), 0.2)
    assert.strictEqual(sum("cardlake.refused", { game: "tidewrack" }), 2)
    assert.isAbove(sum("cardlake.stage.duration", { game: "tidewrack", stage: "reading" }), 0)
    assert.strictEqual(sum("cardlake.games", { verdict: "published" }), 2)
  })

  it("sends its events as log records of the trace", () => {
    const records = sent("/v1/logs").flatMap(logsOf)
    const verdict = records.find((record) => record.body.stringValue === "verdict")
    assert.deepInclude(verdict === undefined ? {} : attributesOf(verdict), { verdict: "published" })
    assert.match(verdict?.traceId ?? "", /^[0-9a-f]{32}$/)
    assert.strictEqual(records.length, events.length)
  })

  it("says who it is, and sends the headers it was given", () => {
    for (const one of collector.received.filter(({ path }) => path.startsWith("/v1/"))) {
      assert.deepInclude(one.headers, { "x-tenant": "cards and more", "x-scope": "a" })
      const who = resourceOf(JSON.parse(one.body))
      assert.deepInclude(who, { "service.name": "cardlake", "deployment.environment.name": "test" })
    }
  })

  it("leaves the key nowhere", () => {
    assert.isFalse(collector.received.some((one) => JSON.stringify(one).includes(key)))
    for (const file of filesBelow(folder)) assert.isFalse(readFileSync(file).includes(key), file)
  })
})

describe("a night whose watchers are away", () => {
  let folder: string
  let marketplace: Awaited<ReturnType<typeof startSandbox>>
  beforeAll(async () => {
    folder = temporaryFolder()
    marketplace = await startSandbox()
  })
  afterAll(async () => {
    await marketplace.stop()
    remove(folder)
  })

  it.runIf(isFull)(
    "is published all the same, without a long wait, if a collector takes everything and never answers",
    async () => {
      const collector = await startCollector(() => null)
      const started = performance.now()
      const ended = await cardlake(["nightly", "clockwork-orchard", "--json", "--prometheus", "/missing/x.prom"], {
        env: { ...settings(marketplace.url, join(folder, "lake")), ...otel(collector.url) }
      })
      const report = json(ended) as { readonly verdict: string; readonly seconds: number }
      const beside = (performance.now() - started) / 1000 - report.seconds
      await collector.stop()
      assert.strictEqual(report.verdict, "published")
      assert.isBelow(beside, 30)
      assert.match(ended.stderr, /^\S+Z cardlake: The Prometheus file \/missing\/x\.prom was not written/m)
    }
  )

  effect("goes on with variables that make no sense, and says so", function* () {
    const said: Array<string> = []
    yield* telemetry.pipe(
      Effect.scoped,
      Effect.provide(nightLog("text", (line) => said.push(line))),
      Effect.provide(
        ConfigProvider.layer(ConfigProvider.fromEnv({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: "no address" } }))
      )
    )
    assert.match(said.join(""), /^cardlake: No telemetry is sent: an OTEL_ variable cannot be used/)
  })

  it("that fails before any game gives its reason as an event, a file and a notification", async () => {
    const collector = await startCollector()
    const file = join(folder, "failed.prom")
    const ended = await cardlake(["nightly", "--log", "json", "--prometheus", file], {
      env: {
        ...settings(marketplace.url, join(folder, "lake")),
        CARDLAKE_API_KEY: "wrong-key",
        CARDLAKE_NOTIFY: `${collector.url}/hook`
      }
    })
    await collector.stop()
    assert.strictEqual(ended.code, 1)
    assert.strictEqual(ended.stdout, "")
    const [event, ...more] = eventsOf(ended)
    assert.deepInclude(event, { level: "error", event: "verdict", verdict: "failed", exitCode: 1 })
    assert.match(String(event?.["reason"]), /refused the API key/)
    assert.deepStrictEqual(more, [])
    const exitCode = parseExposition(readFileSync(file, "utf8")).find(
      ({ name }) => name === "cardlake_last_run_exit_code"
    )
    assert.strictEqual(exitCode?.value, 1)
    const sent = JSON.parse(collector.received[0]?.body ?? "{}") as Event
    assert.deepInclude(sent, { run: null, verdict: "failed", reason: event?.["reason"] })
    assert.isFalse(existsSync(join(folder, "lake/failed.prom")))
  })
})
