import { assert } from "@effect/vitest"
import { Effect, ConfigProvider, Duration, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { catalogueFolder, card, gameId as quiet, idOf } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { live, newFolder, testIn } from "../support/suite.ts"
import { vi } from "vitest"
import { existsSync, readFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { NightPatience } from "../../src/night/run/NightSettings.ts"
import { tryLoad } from "../../src/night/run/tryLoad.ts"
import { Home } from "../../src/store/home/Home.ts"
import { deployments } from "./tinyNights.ts"

const deadly = "deadly"
const mark = "Zzz, a name that ends its reader"

/** More bytes than the program's own thread takes apart, also when they are compressed. */
const attributes = { text: randomBytes(80_000).toString("base64") }

/** The last of several pages has the mark, and so many bytes that another thread reads it. */
const products = (gameId: string, last: string) =>
  Array.from({ length: 500 }, (_, at) => ({ ...card(at + 1, at === 499 ? { name: last, attributes } : {}), gameId }))

live("a page that crashes the thread that reads it costs its game the night, and no other game", function* () {
  const { settings } = yield* marketplaceAndHome({
    catalogue: yield* catalogueFolder({
      [deadly]: [{ products: products(deadly, mark) }],
      [quiet]: [{ products: products(quiet, "Zzz").slice(0, 2) }]
    })
  })
  const preload = `--import ${join(import.meta.dirname, "dieInThread.ts")}`
  const env = { ...settings, NODE_OPTIONS: preload, END_THREAD_AT: mark }
  const night = yield* Effect.promise(() => start(node, [main, "nightly", "--json"], { env }).ended)
  assert.strictEqual(night.code, 4, night.stderr)
  const { games } = JSON.parse(night.stdout) as { games: ReadonlyArray<Record<string, unknown>> }
  const of = (gameId: string) => games.find((game) => game["gameId"] === gameId)
  assert.deepStrictEqual([of(quiet)?.["verdict"], of(quiet)?.["products"]], ["published", 2])
  assert.strictEqual(of(deadly)?.["verdict"], "failed")
  assert.match(
    String(of(deadly)?.["reason"]),
    /^The page POST \/v1\/products\/search\?limit=200&offset=400.+crashed the thread that read it \(exit code 3\)\..+run it again/
  )
})

const dieInLoad = `--import ${join(import.meta.dirname, "dieInLoad.ts")}`

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
    vi.stubEnv("NODE_OPTIONS", dieInLoad)
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

    vi.stubEnv("DIE_IN_LOAD_OF", "nothing")
    const third = yield* verdicts
    assert.deepStrictEqual([third[quiet]?.verdict, third[deadly]?.verdict], ["unchanged", "published"])
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
  assert.match(message, /again in tonight's trial \(it had not ended after 1ms\), so the game is skipped/)
})
