import { Observation } from "../../../src/night/observe/Observation.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { run } from "../../../pipelines/night/run.ts"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { telemetry } from "../../../src/night/observe/observe.ts"
import { makeScrub, mayHold } from "../../../src/feed/client/scrub.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { fileRows } from "../../store/lake/tableRows.ts"
import { sampleFolder } from "../../market/Served.ts"
import { cardlake, filesBelow, remove, temporaryFolder } from "../../pipelines/cli.ts"
import { startCollector } from "./Collector.ts"
import { startAnswering, startProxy } from "../../pipelines/proxy.ts"
import { live, newFolder } from "../../support/suite.ts"

const key = 'cl_"live"/9f2b7e94c51d84c0'
const forms = {
  plain: key,
  escaped: [...key].map((char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  half: `\\u0063\\u006C_\\"live\\"\\/9f2b7e94c51d84c0`,
  percent: [...key].map((char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`).join("")
}
/** In base64: alone and within more, at each place of a group of three bytes; with the alphabet of URLs. */
const encoded = ["", "u:", "me:", "you:"].flatMap((before) => {
  const text = Buffer.from(`${before}${key}`).toString("base64")
  const more = Buffer.from(`${before}${key}:and more`).toString("base64url")
  return [
    text,
    more,
    encodeURIComponent(text),
    text.replaceAll("/", String.raw`\/`).replaceAll("=", String.raw`\u003d`)
  ]
})
/** What any of these shows of the key's middle: of four characters, base64 shows one whole at each place. */
const middles = [0, 1, 2].map((before) =>
  Buffer.from(`${"x".repeat(before)}9f2b7e94c51d84c0`)
    .toString("base64")
    .slice(4, 16)
)
/** As JSON writes it within a text. */
const inJson = (form: string): string => (form === key ? JSON.stringify(key).slice(1, -1) : form)

/** Every form of the key, and its end, which could be left of it where a text is cut. */
const leaks = [...Object.values(forms), inJson(key), encodeURIComponent(key), "9f2b7e94c51d84c0", ...middles]
const assertClean = (text: string, where: string) => {
  for (const leak of leaks) assert.isFalse(text.includes(leak), `${leak} in ${where}: ${text.slice(0, 2000)}`)
}

describe("makeScrub", () => {
  const scrub = makeScrub(key)
  for (const [form, text] of Object.entries(forms)) {
    it(`finds the ${form} form of the key`, () =>
      assert.strictEqual(scrub(`a ${text} b ${text}`), "a <redacted> b <redacted>"))
  }
  for (const text of [forms.escaped, forms.half, inJson(key)]) {
    it(`finds the key in a name that is JSON with ${text}, and leaves the page valid`, () => {
      const page = JSON.stringify({ name: `{"note":"${text}"}` })
      assert.isTrue(mayHold(page, key))
      assert.deepStrictEqual(JSON.parse(scrub(page)), { name: '{"note":"<redacted>"}' })
    })
  }
  it("finds the key in base64, alone or within more, in both alphabets and escaped", () => {
    for (const text of encoded) {
      const clean = scrub(`{"a":"Basic ${text}","b":"n${text}"}`)
      assert.match(clean, /^\{"a":"Basic [\w+/-]{0,8}<redacted>[\w+/-]*","b":"[\w+/-]{0,8}<redacted>[\w+/-]*"\}$/, text)
      assertClean(clean, text)
      assert.isTrue(mayHold(`{"a":"${text}"}`, key), text)
    }
    const other = Buffer.from(key.replace("live", "test")).toString("base64")
    assert.strictEqual(scrub(other), other)
  })
  it("is not slow on a page of backslashes", () => {
    const page = `${"\\".repeat(1_000_000)}u00`
    assert.strictEqual(scrub(page), page)
  })
  it("leaves other texts alone", () =>
    assert.strictEqual(scrub(`cl_"live"/9f2b7e94c51d84c`), `cl_"live"/9f2b7e94c51d84c`))
  it("leaves texts alone if the key is a mere word", () => assert.strictEqual(makeScrub("secret")("secret"), "secret"))
})

live("a key that the marketplace repeats in its data is in nothing that a night writes or sends", function* () {
  const folder = yield* newFolder
  const sandbox = yield* serveSandbox({ catalogue: sampleFolder, odd: true, key, faults: {} })
  const proxy = yield* Effect.promise(() =>
    startProxy(sandbox.url, ({ answer, asked, path }) => {
      if (path.endsWith("/games")) return answer.replace('"id":"tidewrack"', `"id":"${forms.escaped}"`)
      if (asked.includes("clockwork-orchard") && path.includes("/products")) {
        return answer
          .replaceAll('"name":"', `"name":"${forms.half} ${inJson(key)} `)
          .replace('"id":', `"seen_${forms.escaped}":"${forms.half}","id":`)
      }
      return answer.replaceAll('"id":"dep_', `"id":"dep_${forms.half} ${encoded[4]} `)
    })
  )
  const collector = yield* Effect.promise(() => startCollector())
  const said: Array<string> = []
  const shown: Array<string> = []
  const settings = {
    CARDLAKE_URL: proxy.url,
    CARDLAKE_API_KEY: key,
    CARDLAKE_HOME: join(folder, "home"),
    CARDLAKE_HOLD_REFUSED: "1"
  }
  const night = Effect.gen(function* () {
    const services = yield* telemetry
    return yield* Effect.provideContext(
      run({
        games: ["clockwork-orchard", "<redacted>"],
        settings,
        part: null,
        cluster: null,
        log: "json",
        show: { onProgress: (event) => void shown.push(JSON.stringify(event)), stop: () => {} },
        prometheus: join(folder, "night.prom"),
        notify: Redacted.make(`${collector.url}/hook`),
        exportTo: null
      }),
      services
    )
  })
  const report = yield* night.pipe(
    Effect.scoped,
    Effect.provide(nightLog("json", (line) => said.push(line))),
    Effect.provideService(Observation, { hasEvents: true, scrub: makeScrub(key) }),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))),
    Effect.provide(NodeServices.layer)
  )
  yield* Effect.promise(collector.stop)
  proxy.stop()

  const verdicts = report.games.map(({ gameId, verdict }) => [gameId, verdict])
  assert.deepInclude(verdicts, ["clockwork-orchard", "published"])
  assert.deepInclude(verdicts, ["<redacted>", "failed"])
  const rows = yield* fileRows(
    `select count(*) as n from '${settings.CARDLAKE_HOME}/snapshots/game=clockwork-orchard/*/products.parquet'
      where starts_with(name, '<redacted> <redacted> ')`
  ).pipe(Effect.provide(lakeServices(settings)), Effect.provide(NodeServices.layer))
  assert.deepStrictEqual(rows, [{ n: "399" }])

  assertClean(JSON.stringify(report), "the report")
  assertClean(said.join(""), "the log")
  assertClean(shown.join(""), "what is shown")
  assert.strictEqual(said.filter((line) => line.includes("The marketplace repeats the API key in GET /")).length, 1)
  assert.isAbove(collector.received.length, 3)
  for (const { body, path } of collector.received) assertClean(body, path)
  for (const file of filesBelow(folder)) {
    assertClean(file, "a path")
    const bytes = readFileSync(file)
    assertClean((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1"), file)
  }
})

it("a key that the marketplace repeats in an error is not printed", async () => {
  const padding = "x".repeat(280)
  const data = JSON.stringify({ gameId: forms.percent, key })
  const body = `{"code":"${forms.half}","status":400,"message":"${padding}${forms.escaped}","data":${data}}`
  const authorization = `Basic ${Buffer.from(`user:${key}`).toString("base64")}`
  const server = await startAnswering(400, "application/json", body, { "x-request-id": authorization })
  const home = temporaryFolder()
  const { code, stderr, stdout } = await cardlake(["nightly", "--json"], {
    env: { CARDLAKE_URL: server.url, CARDLAKE_API_KEY: key, CARDLAKE_HOME: home }
  })
  server.stop()
  remove(home)
  assert.strictEqual(code, 1)
  assert.match(stderr, /\(request id Basic \w+<redacted>\)/)
  assert.include(stderr, `400 <redacted>: ${padding}<redacted>`)
  assertClean(stdout + stderr, "what is printed")
  assert.notInclude(stdout + stderr, '"live"')
})
