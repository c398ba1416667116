import { NodeServices } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { createServer, type RequestListener } from "node:http"
import { runFx } from "../../../src/night/run/runFx.ts"
import { lakeServices } from "../../../pipelines/settings/services.ts"
import { proxyTo } from "../../feed/client/proxy.ts"
import { listening } from "../../feed/client/rawServer.ts"
import { fileURLToPath } from "node:url"
import { queryTable } from "../../../pipelines/lake/runQuery.ts"
import { remove, temporaryFolder } from "../../pipelines/cli.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

const rates = fileURLToPath(new URL("../../../data/sample/eurofxref.csv", import.meta.url))

/** What `cardlake fx` loads or says, in an empty home. */
const load = Effect.fnUntraced(function* (source: string) {
  const home = yield* Effect.acquireRelease(Effect.sync(temporaryFolder), (home) => Effect.sync(() => remove(home)))
  return yield* runFx(source).pipe(
    Effect.map(({ rates }) => `${rates} rates`),
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.provide(Layer.provideMerge(lakeServices({ CARDLAKE_HOME: home }), NodeServices.layer))
  )
})
const serving = (answer: RequestListener) =>
  Effect.map(listening(createServer(answer)), (port) => `http://127.0.0.1:${port}/rates.csv?key=secret`)

live("rates that are loaded before the first night wait for it, and make no empty lake", function* () {
  const { night, services } = yield* marketplaceAndHome({ catalogue: { games: syntheticCatalogue(6, 1) } })
  const ask = Effect.provideContext(queryTable("select count(*) as days from fx_daily", { allowFiles: true }), services)
  yield* Effect.provideContext(runFx(rates), services)
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
