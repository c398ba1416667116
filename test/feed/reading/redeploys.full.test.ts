import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { OpenPage } from "../../../src/feed/client/openPage.ts"
import type { PageCall } from "../../../src/feed/client/pageCalls.ts"
import type { OpenedPage } from "../../../src/feed/client/RawBody.ts"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import type { Extraction } from "../../../src/feed/reading/Extraction.ts"
import { extractGame } from "../../../src/feed/reading/extractGame.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { catalogueFolder, card, gameId, idOf } from "../../store/lake/invented.ts"
import { testIn } from "../../support/suite.ts"

const priced = (id: number, low: number, name = `Card ${String(id).padStart(4, "0")}`) =>
  card(id, { name, pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/**
 * A thousand cards; then one more at the front; then two fewer, and one renamed so that it comes last;
 * then all have another price.
 */
const deployments = [
  ids(1, 1001).map((id) => priced(id, 1)),
  ids(0, 1001).map((id) => priced(id, 1)),
  ids(2, 1001).map((id) => (id === 5 ? priced(id, 1, "Last") : priced(id, 1))),
  ids(2, 1001).map((id) => (id === 5 ? priced(id, 2, "Last") : priced(id, 2)))
].map((products) => ({ products }))
const pages = 5

/** The products of an extraction, page by page. */
const productsOf = (folder: string, extraction: Extraction): string =>
  extraction.pages
    .filter(({ kind }) => kind === "products")
    .map(({ file }) => readFileSync(join(folder, file)).toString("base64"))
    .join("\n")

/** A sandbox with the deployments; `onPage`, which may deploy, runs before each page of products. */
const sandboxOf = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const catalogue = yield* catalogueFolder({ [gameId]: deployments })
  const sandbox = yield* serveSandbox({ catalogue })
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key }
  const services = yield* Layer.build(
    Layer.provide(Marketplace.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )
  const read = (onPage: (page: number) => Effect.Effect<unknown> = () => Effect.void) =>
    Effect.gen(function* () {
      const real = yield* Marketplace
      let asked = 0
      const opened = <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
        Effect.andThen(
          Effect.suspend(() => (call.operation === "products" ? onPage(asked++) : Effect.void)),
          real.opened(call, open)
        )
      const folder = yield* fs.makeTempDirectoryScoped()
      const extraction = yield* extractGame({ gameId, runId: idOf("r"), folder, previousDeploymentId: null }).pipe(
        Effect.provideService(Marketplace, { ...real, opened })
      )
      return { extraction, products: productsOf(folder, extraction) }
    }).pipe(Effect.provideContext(services))
  return { deploy: Effect.orDie(sandbox.deploy(gameId)), read }
})

/** The products of every deployment, read undisturbed. */
const undisturbed = Effect.gen(function* () {
  const { deploy, read } = yield* sandboxOf
  const all: Array<string> = []
  for (const place of deployments.keys()) {
    if (place > 0) yield* deploy
    all.push((yield* read()).products)
  }
  assert.strictEqual(new Set(all).size, deployments.length)
  return all
})

const test = testIn(NodeFileSystem.layer)

describe("a game that is deployed while it is read", () => {
  test("at any page, once or twice, is read as exactly one deployment", function* () {
    const references = yield* undisturbed
    for (const already of [0, 1, 2]) {
      for (const times of already < 2 ? [1, 2] : [1]) {
        for (let at = 0; at <= pages; at++) {
          const { deploy, read } = yield* sandboxOf
          for (let place = 0; place < already; place++) yield* deploy
          const { extraction, products } = yield* read((page) =>
            page === at || (times === 2 && page === at + 3) ? deploy : Effect.void
          )
          const where = `${times} after deployment ${already}, from page ${at} on`
          assert.strictEqual(products, references[already + times], where)
          assert.isAtMost(extraction.rounds, 1 + times, where)
        }
      }
    }
  })
})
