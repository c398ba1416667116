import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { fileURLToPath } from "node:url"
import type { OpenPage, PageCall } from "../../../src/feed/client/pageCalls.ts"
import type { OpenedPage } from "../../../src/feed/client/RawBody.ts"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { listGames } from "../../../src/feed/reading/listGames.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import type { Sandbox } from "../../../src/market/Sandbox.ts"
import { productOf } from "../../market/offers/Counted.ts"
import { Served, testKey } from "../../market/Served.ts"
import { buy, listingsOf, makeParty } from "../../market/Shop.ts"
import { idOf } from "../../store/lake/invented.ts"
import { testIn } from "../../support/suite.ts"

const catalogue = fileURLToPath(new URL("../../../data/sample", import.meta.url))

const against = (url: string, key: string) =>
  Effect.provide(
    Layer.provide(
      Marketplace.layer,
      ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_URL: url, CARDLAKE_API_KEY: key }))
    )
  )

/** Buys all of a card of the first page that has nothing but live listings, so that it loses its finish. */
const sellOut = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const buyer = yield* makeParty("collector", { country: "DE" })
    assert.notDeepEqual((yield* productOf(10_307)).pricesByFinish, {})
    for (const { listingId, quantity } of yield* listingsOf(buyer, 10_307)) yield* buy(buyer, [{ listingId, quantity }])
    assert.deepStrictEqual((yield* productOf(10_307)).pricesByFinish, {})
  }).pipe(Effect.provideService(Served, sandbox))

describe("against the sandbox", () => {
  testIn(NodeFileSystem.layer)("every record of every game is accepted or refused, and all are counted", function* () {
    const fs = yield* FileSystem.FileSystem
    const { key, url } = yield* serveSandbox({ catalogue, odd: true })
    const { gameIds, page } = yield* against(url, key)(listGames)
    assert.isAbove(gameIds.length, 0)
    for (const gameId of gameIds) {
      const folder = yield* fs.makeTempDirectoryScoped()
      const options = { gameId, runId: idOf("r1"), folder, previousDeploymentId: null, games: page }
      const extraction = yield* against(url, key)(extractGame(options))
      const records = extraction.pages.reduce((sum, { records: of }) => sum + of, 0)
      const entries = extraction.pages.reduce(
        (sum, { kind, records: of }) => (kind === "changelog" ? sum + of : sum),
        0
      )
      assert.strictEqual(
        extraction.products + extraction.expansions + extraction.refused + gameIds.length + entries,
        records
      )
      assert.isAbove(extraction.products, 100)
    }
  })

  testIn(NodeFileSystem.layer)(
    "a game that sells out while it is read is read once, one that is redeployed as the later one alone",
    function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* serveSandbox({ catalogue, key: testKey, odd: true })
      const { deploy, games, key, url } = sandbox
      const gameId = (yield* games)[0]?.gameId ?? ""
      const extract = Effect.fnUntraced(
        function* (meanwhile: Effect.Effect<unknown, unknown>) {
          const folder = yield* fs.makeTempDirectoryScoped()
          const marketplace = yield* Marketplace
          let deployed = false
          const redeploying = Marketplace.of({
            ...marketplace,
            opened: <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
              Effect.flatMap(marketplace.opened(call, open), (page) => {
                if (deployed || call.operation !== "products") return Effect.succeed(page)
                deployed = true
                return Effect.as(Effect.orDie(meanwhile), page)
              })
          })
          const options = { gameId, runId: idOf("r1"), folder, previousDeploymentId: null }
          return yield* Effect.provideService(extractGame(options), Marketplace, redeploying)
        },
        against(url, key)
      )

      assert.strictEqual((yield* extract(sellOut(sandbox))).rounds, 1)
      const torn = yield* extract(deploy(gameId))
      const calm = yield* extract(Effect.void)
      assert.isAbove(torn.rounds, 1)
      assert.deepStrictEqual(
        torn.pages.map(({ sha256 }) => sha256),
        calm.pages.map(({ sha256 }) => sha256)
      )
    }
  )
})
