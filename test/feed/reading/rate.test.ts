import { NodeFileSystem } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { listGames } from "../../../src/feed/reading/listGames.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { catalogueFolder } from "../../store/lake/catalogueFolder.ts"
import { card } from "../../store/lake/invented.ts"
import { idOf } from "../../idOf.ts"
import { testIn } from "../../support/suite.ts"

const limit = 240
/** Two heads, expansions, products twice, changelog. */
const requestsOfGame = 6
const games = Array.from({ length: 22 }, (_, index) => `game-${index}`)

testIn(NodeFileSystem.layer)(
  "many games are read at the pace of a rate limit after its burst, and no request is refused",
  function* () {
    const fs = yield* FileSystem.FileSystem
    const catalogue = yield* catalogueFolder(
      Object.fromEntries(
        games.map((id, index) => [id, [{ products: [card(index, { gameId: id, game: { id, name: id } })] }]])
      )
    )
    const sandbox = yield* serveSandbox({ catalogue, rateLimit: limit, faults: {} })
    const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key }
    const services = yield* Layer.build(
      Layer.provide(Marketplace.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
    )
    const start = performance.now()
    yield* Effect.gen(function* () {
      const { page } = yield* listGames
      yield* Effect.forEach(
        games,
        Effect.fnUntraced(function* (gameId) {
          const folder = yield* fs.makeTempDirectoryScoped()
          const extraction = yield* extractGame({
            gameId,
            runId: idOf("r"),
            folder,
            previousDeploymentId: null,
            games: page
          })
          assert.strictEqual(extraction.products, 1)
        }),
        { concurrency: 3 }
      )
    }).pipe(Effect.provideContext(services))
    // A refused request is sent again, and would be counted twice.
    const asked = [...(yield* sandbox.requests).values()].reduce((sum, times) => sum + times, 0)
    const needed = 1 + games.length * requestsOfGame
    assert.strictEqual(asked, needed)
    // Half of a minute's requests go out at once.
    assert.isAtLeast(performance.now() - start, ((needed - limit / 2) / limit) * 60_000 - 1000)
  }
)
