import { NodeServices } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, References } from "effect"
import { createServer, type RequestListener } from "node:http"
import { deflateRawSync } from "node:zlib"
import { runNight } from "../../../src/night/run/runNight.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { runFx } from "../../../src/night/run/runFx.ts"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { proxyTo } from "../../feed/client/proxy.ts"
import { listening } from "../../feed/client/rawServer.ts"
import { fileURLToPath } from "node:url"
import { queryTable } from "../../../pipelines/lake/runQuery.ts"
import { cardlake, json } from "../../pipelines/cli.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live, newFolder } from "../../support/suite.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

const rates = fileURLToPath(new URL("../../../data/sample/eurofxref.csv", import.meta.url))

/** What `cardlake fx` loads or says, in an empty home. */
const load = Effect.fnUntraced(function* (source: string) {
  const home = yield* newFolder
  return yield* runFx(source).pipe(
    Effect.map(({ rates }) => `${rates} rates`),
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provide(Layer.provideMerge(lakeServices({ CARDLAKE_HOME: home }), NodeServices.layer))
  )
})
const cardlakeHere = (args: ReadonlyArray<string>, home: string, source: string) =>
  Effect.promise(() => cardlake(args, { env: { CARDLAKE_HOME: home, CARDLAKE_FX: source } }))

const serving = (answer: RequestListener) =>
  Effect.map(listening(createServer(answer)), (port) => `http://127.0.0.1:${port}/rates.csv?key=secret`)

live("rates that are loaded before the first night wait for it, and make no empty lake", function* () {
  const { inHome, night } = yield* marketplaceAndHome({ catalogue: { games: syntheticCatalogue(6) } })
  const ask = inHome(queryTable("select count(*) as days from fx_daily", { allowFiles: true }))
  yield* inHome(runFx(rates))
  assert.match((yield* Effect.flip(ask)).message, /^There is no lake in .* yet\. Make one with: cardlake nightly/)
  yield* night()
  assert.match(yield* ask, /^days\n─+\n +\d{2}/)
})

describe.concurrent("a download of exchange rates", () => {
  live("goes through the proxy that the environment names", function* () {
    const port = yield* listening(
      createServer((_, response) => void response.end("Date,USD\n2026-08-20,1.1\n2026-08-19,1.2\n"))
    )
    const proxy = yield* proxyTo(() => port)
    const variables = ConfigProvider.fromUnknown({ http_proxy: `http://127.0.0.1:${proxy.port}` })
    const said = yield* Effect.provide(load("http://bank.test/rates.csv"), ConfigProvider.layer(variables))
    assert.strictEqual(said, "2 rates")
    assert.strictEqual(proxy.asked[0]?.line, "GET http://bank.test/rates.csv")
  })

  live("that never ends is cut off", function* () {
    const address = yield* serving((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(262_144, " ")));
      }
      response.on("drain", more)
      more()
    })
    assert.match(yield* load(address), /^The exchange rates at http:\S+\/rates\.csv cannot be read \(.*max size\)\./)
  })

  live("that is answered with 404 says so", function* () {
    const address = yield* serving((_, response) => void response.writeHead(404).end())
    assert.match(yield* load(address), /rates\.csv cannot be read \(it answered 404\)\. Check the address/)
  })

  live("is not started when its address contains a password", function* () {
    const said = yield* load("https://user:pass@bank.test/rates.csv")
    assert.match(
      said,
      /^The exchange rates at https:\/\/bank\.test\/rates\.csv cannot be read \(its address contains a user/
    )
    assert.notInclude(said, "pass@")
  })
})

live.full(
  "a night loads the rates of its setting once a day, and a failure leaves them and says their age",
  function* () {
    const { home, inHome, services } = yield* marketplaceAndHome({ catalogue: { games: syntheticCatalogue(6) } })
    const zip = (csv: string) => {
      const name = Buffer.from("eurofxref-hist.csv")
      const head = Buffer.alloc(30)
      head.writeUInt32LE(0x04034b50)
      head.writeUInt16LE(8, 8)
      head.writeUInt16LE(name.length, 26)
      // The archive's directory follows the file.
      return Buffer.concat([head, name, deflateRawSync(csv), Buffer.from("PK\u0001\u0002 directory")])
    }
    const requests: Array<string> = []
    let isDown = false
    const source = yield* serving((request, response) => {
      requests.push(request.url ?? "")
      if (isDown) return void response.writeHead(404).end()
      response.end(zip("Date,USD\n2026-05-08,1.1\n2026-05-07,1.2\n"))
    })
    const warnings: Array<string> = []
    const logger = Logger.make(({ fiber }) => {
      const sentence = fiber.getRef(References.CurrentLogAnnotations)["sentence"]
      if (sentence !== undefined) warnings.push(String(sentence))
    })
    const night = (at: string, rates: string | null = source) =>
      runNight([], () => {}, { rates }).pipe(
        showing(Date.parse(at)),
        Effect.provideContext(services),
        Effect.provide(Logger.layer([logger]))
      )
    const days = inHome(queryTable("select count(distinct day) as days from fx_rates", { allowFiles: true }))
    yield* night("2026-05-10T03:00:00Z", null)
    assert.isEmpty(requests)
    yield* night("2026-05-10T04:00:00Z")
    yield* night("2026-05-10T05:00:00Z")
    assert.deepStrictEqual(requests, ["/rates.csv?key=secret"])
    assert.match(yield* days, /^days\n─+\n +2/)
    isDown = true
    assert.match((yield* night("2026-05-11T03:00:00Z")).ratesFault ?? "", /it answered 404/)
    assert.match(
      warnings.join(),
      /^The night continues without new exchange rates\. .*it answered 404.* The newest rates are those of 2026-05-08, 3d 3h old$/
    )
    assert.match(yield* days, /^days\n─+\n +2/)
    const doctor = yield* cardlakeHere(["doctor", "--json"], home, source)
    assert.match(
      doctor.stdout,
      /"name":"rates","ok":true,"isDoubt":true,"says":"The last night could not load newer ones\./
    )
    isDown = false
    const daily = yield* cardlakeHere(["fx", "--daily", "--json"], home, source)
    assert.deepInclude(json(daily), { rates: 2, isNew: true })
    assert.deepInclude(json(yield* cardlakeHere(["fx", "--daily", "--json"], home, source)), { rates: 2, isNew: false })
    const unset = yield* cardlakeHere(["fx", "--daily"], home, "")
    assert.deepStrictEqual(unset.code, 2)
    assert.match(unset.stderr, /Name a file or an address, or set CARDLAKE_FX to an address/)
  }
)
