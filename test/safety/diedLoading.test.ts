import { assert } from "@effect/vitest"
import { vi } from "vitest"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { NightPatience } from "../../src/night/run/NightSettings.ts"
import { tryLoad } from "../../src/night/run/tryLoad.ts"
import { Home } from "../../src/store/home/Home.ts"
import { newFolder, live, testIn } from "../support/suite.ts"
import { catalogueFolder, gameId as quiet, idOf } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { deployments } from "./tinyNights.ts"

const deadly = "deadly"
const preload = `--import ${join(import.meta.dirname, "dieInLoad.ts")}`

live(
  "a game whose loading kills the process costs one night; then it alone fails, until it can be loaded",
  function* () {
    const ofGame = (gameId: string) =>
      deployments
        .slice(0, 1)
        .map(({ products }) => ({ products: products.map((product) => ({ ...Object(product), gameId })) }))
    const { home, night, settings } = yield* marketplaceAndHome({
      catalogue: yield* catalogueFolder({ [deadly]: ofGame(deadly), [quiet]: ofGame(quiet) })
    })
    vi.stubEnv("NODE_OPTIONS", preload)
    vi.stubEnv("DIE_IN_LOAD_OF", deadly)
    yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))

    const died = yield* Effect.promise(() => start(node, [main, "nightly"], { env: settings }).ended)
    assert.strictEqual(died.code, null)

    const verdicts = Effect.map(night(), ({ games }) =>
      Object.fromEntries(games.map(({ gameId, verdict, reason }) => [gameId, { verdict, reason }]))
    )
    const second = yield* verdicts
    assert.strictEqual(second[quiet]?.verdict, "published")
    assert.strictEqual(second[deadly]?.verdict, "failed")
    assert.match(
      second[deadly]?.reason ?? "",
      /Loading deadly crashed .+ again in tonight's trial \(SIGSEGV\).+report it with these pages/
    )
    const [, folder = ""] = /raw pages stay in (.+) until/.exec(second[deadly]?.reason ?? "") ?? []
    assert.isTrue(existsSync(join(folder, "extraction.json")))

    const third = yield* verdicts
    assert.deepStrictEqual([third[quiet]?.verdict, third[deadly]?.verdict], ["unchanged", "failed"])

    vi.stubEnv("DIE_IN_LOAD_OF", "nothing")
    const fourth = yield* verdicts
    assert.strictEqual(fourth[deadly]?.verdict, "published")
    assert.deepStrictEqual(Object.keys(JSON.parse(readFileSync(join(home, "current.json"), "utf8")).games).sort(), [
      deadly,
      quiet
    ])
  }
)

testIn(NodeServices.layer)("a trial load that does not end is stopped", function* () {
  const config = ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_HOME: yield* newFolder }))
  const { message } = yield* Effect.flip(tryLoad(deadly, idOf("20200101T000000000Z-0000"))).pipe(
    Effect.provide(Layer.provide(Home.layer, config)),
    Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), trial: Duration.millis(1) })
  )
  assert.match(message, /again in tonight's trial \(it had not ended after 1ms\), so the game is left out/)
})
