import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { hasRealCatalogue, realCatalogue } from "../../pipelines/realCatalogue.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { tried } from "../../tried.ts"
import { ask, sampleFolder, Served, testKey } from "../Served.ts"
import { hasSpecWord, inSpecWords, productPages, textOf } from "./pageTexts.ts"
import { suite, values } from "../../support/sandbox.ts"
import { effect } from "../../support/suite.ts"

type Json = Readonly<Record<string, unknown>>
type Blocks = Readonly<Record<string, Json>>
interface Product {
  readonly id: number
  readonly prices?: Blocks
  readonly pricesByFinish?: Readonly<Record<string, Blocks>>
  readonly externalIds?: Json
}

/** A finish's blocks as the pages of July had them: without the live block, and without currencies. */
const julyBlocks = ({ marketplace: _live, sourceEur, sourceUsd, ...others }: Blocks): Json => {
  const { currency: _eur, ...eur } = sourceEur ?? {}
  const { currency: _usd, ...usd } = sourceUsd ?? {}
  return { ...others, ...(sourceEur && { eur }), ...(sourceUsd && { usd }) }
}
const julyIds = ({
  konamiStyleId,
  lorcanaId,
  mtgId,
  mtgOracleId,
  riftboundId,
  sourceEur,
  sourceUsd,
  ...others
}: Json): Json => ({
  ...others,
  konamiId: konamiStyleId,
  dreambornId: lorcanaId,
  eur: sourceEur,
  usd: sourceUsd,
  scryfallId: mtgId,
  scryfallOracleId: mtgOracleId,
  riotId: riftboundId
})
const asInJuly = ({ externalIds, prices, pricesByFinish, ...others }: Product): unknown =>
  JSON.parse(
    JSON.stringify({
      ...others,
      prices: prices && julyBlocks(prices),
      pricesByFinish:
        pricesByFinish &&
        Object.fromEntries(Object.entries(pricesByFinish).map(([finish, blocks]) => [finish, julyBlocks(blocks)])),
      externalIds: externalIds && julyIds(externalIds)
    })
  )

const data = (page: string): ReadonlyArray<Product> => JSON.parse(page).data
const games = tried(["emberfall", "tidewrack", "clockwork-orchard"], (game) => game === "emberfall")

suite(Served.layer({ live: "last" }))("the live service's words", (it) => {
  it("are the keys of every page, and all else is byte for byte as in the spec's", function* () {
    const sandbox = yield* Served
    for (const game of games) {
      yield* sandbox.speak("spec")
      const spec = yield* productPages(sandbox, game)
      yield* sandbox.speak("live")
      const live = yield* productPages(sandbox, game)
      assert.deepEqual(live.map(inSpecWords), spec)
      assert.isFalse(live.some(hasSpecWord))
      assert.isTrue(live.some((page) => page.includes(`"cardmarket":`)))
    }
  })

  it("of July name no currency, and have no live block in pages", function* () {
    const sandbox = yield* Served
    for (const game of games) {
      yield* sandbox.speak("spec")
      const spec = yield* productPages(sandbox, game)
      yield* sandbox.speak("live-july")
      const july = yield* productPages(sandbox, game)
      assert.deepEqual(july.flatMap(data), spec.flatMap(data).map(asInJuly) as ReadonlyArray<Product>)
    }
  })

  it("are those of a single product and of its prices, too", function* () {
    const sandbox = yield* Served
    for (const path of ["/v1/products/10007", "/v1/products/10007/prices"]) {
      yield* sandbox.speak("spec")
      const spec = yield* textOf(sandbox, path)
      yield* sandbox.speak("live")
      const live = yield* textOf(sandbox, path)
      assert.strictEqual(inSpecWords(live), spec)
      assert.notStrictEqual(live, spec)
    }
    const live = yield* textOf(sandbox, "/v1/products/10007/prices")
    yield* sandbox.speak("live-july")
    assert.strictEqual(yield* textOf(sandbox, "/v1/products/10007/prices"), live)
  })

  it("are not served where the catalogue says them itself", function* () {
    const sandbox = yield* Served
    yield* sandbox.speak("spec")
    const list = yield* textOf(sandbox, "/v1/games/emberfall/expansions")
    const openApi = yield* textOf(sandbox, "/openapi.json")
    yield* sandbox.speak("live")
    assert.strictEqual(yield* textOf(sandbox, "/v1/games/emberfall/expansions"), list)
    assert.strictEqual(yield* textOf(sandbox, "/openapi.json"), openApi)
  })

  it("name price sources in the history and in what resolves their ids", function* () {
    const sandbox = yield* Served
    const history = (source: string) => `/v1/products/10007/prices/history?from=2026-03-01&to=2026-03-31${source}`
    const resolve = (marketplace: string) => textOf(sandbox, "/v1/products/resolve", { ids: [600_000, 7], marketplace })
    yield* sandbox.speak("spec")
    const all = yield* textOf(sandbox, history(""))
    const ofUsd = yield* textOf(sandbox, history("&marketplace=sourceUsd"))
    const found = yield* resolve("sourceUsd")
    yield* sandbox.speak("live")
    const worded = (text: string) =>
      text.replaceAll(`"sourceUsd"`, `"tcgplayer"`).replaceAll(`"sourceEur"`, `"cardmarket"`)
    assert.include(ofUsd, `"marketplace":"sourceUsd"`)
    assert.strictEqual(yield* textOf(sandbox, history("")), worded(all))
    assert.strictEqual(yield* textOf(sandbox, history("&marketplace=tcgplayer")), worded(ofUsd))
    assert.strictEqual(yield* resolve("tcgplayer"), found)
    assert.include(found, `"id":10007`)
    for (const refused of [yield* ask(history("&marketplace=sourceUsd")), JSON.parse(yield* resolve("sourceUsd"))]) {
      const { code, data, message } = "json" in refused ? refused.json : refused
      assert.deepEqual([code, data.field], ["BAD_REQUEST", "marketplace"])
      assert.include(message, `"cardmarket" | "tcgplayer"`)
    }
  })
})

describe.skipIf(!hasRealCatalogue)("real catalogues (need ../shared/catalogue beside the repository)", () => {
  for (const game of tried(["riftbound", "fleshandblood"], (one) => one === "riftbound")) {
    effect.full(`every page of ${game} is that of the spec with other keys, byte for byte`, function* () {
      const sandbox = yield* serveSandbox({ catalogue: realCatalogue, key: testKey, livePrices: "frozen" })
      const { deployments = 0 } = (yield* sandbox.games).find(({ gameId }) => gameId === game) ?? {}
      for (let place = 1; place <= deployments; place++) {
        yield* sandbox.speak("spec")
        const spec = yield* productPages(sandbox, game)
        yield* sandbox.speak("live")
        const live = yield* productPages(sandbox, game)
        assert.deepEqual(live.map(inSpecWords), spec)
        assert.isFalse(live.some(hasSpecWord))
        if (place < deployments) yield* sandbox.deploy(game)
      }
    })
  }
})

describe("the base address", () => {
  for (const [dialect, base] of [
    ["spec", ""],
    ["live", "/v1"],
    ["live-july", "/v1"]
  ] as const) {
    effect(`in ${dialect} ends in "${base}", and leads to the operations`, function* () {
      const { origin, url } = yield* serveSandbox({ catalogue: sampleFolder, key: testKey, dialect })
      assert.strictEqual(url, `${origin}${base}`)
      const headers = { authorization: `Bearer ${testKey}` }
      const addresses = [`${origin}/v1/games`, base === "" ? `${url}/v1/games` : `${url}/games`]
      const answers = yield* Effect.promise(() => Promise.all(addresses.map((path) => fetch(path, { headers }))))
      assert.deepEqual(values(answers, "status"), [200, 200])
    })
  }
})
