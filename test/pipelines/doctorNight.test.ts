import { testIn, newFolder } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { examine } from "../../pipelines/lake/examine.ts"
import type { Finding } from "../../pipelines/lake/Finding.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { listen, sendError, sendJson, quickPolicy } from "../feed/client/StrangeServer.ts"
import { catalogueFolder, card, gameId, type Json, sealed } from "../store/lake/invented.ts"
import { runRelease } from "../../src/night/run/publishAs.ts"
import { marketplaceAndHome } from "./nights.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import { slidingLimited } from "../feed/client/RateLimitedServer.ts"
import { syntheticCatalogue } from "../support/syntheticCatalogue.ts"

/**
 * A night of this many products where so many requests are answered within any minute, which lasts `minuteMillis`; and
 * what `doctor` had said that it would need.
 */
const limitedNight = Effect.fnUntraced(function* (products: number, limit: number, minuteMillis: number) {
  let sandboxUrl = ""
  /** The sandbox behind a limit of its own. */
  const limitedTo = Effect.fnUntraced(function* (limited: ReturnType<typeof slidingLimited>) {
    const { settings } = yield* listen(({ body, headers, path, query }, response) => {
      const stated = limited.admit(response)
      if (stated === null) return
      const method = body === "" ? "GET" : "POST"
      const sent = { authorization: String(headers["authorization"]), "content-type": "application/json" }
      void fetch(`${sandboxUrl}${path}?${query}`, { method, headers: sent, ...(body === "" ? {} : { body }) })
        .then((answer) => answer.json())
        .then((answer) => sendJson(response, answer, 200, stated))
    })
    return settings.CARDLAKE_URL
  })
  const ofNight = slidingLimited(limit, { millis: minuteMillis })
  const { home, night, sandbox } = yield* marketplaceAndHome(
    { catalogue: { games: syntheticCatalogue(products) } },
    { CARDLAKE_URL: yield* limitedTo(ofNight), CARDLAKE_VIA: "pages" }
  )
  sandboxUrl = sandbox.url
  const ofDoctor = yield* limitedTo(slidingLimited(limit, { millis: minuteMillis }))
  const settings = { CARDLAKE_URL: ofDoctor, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: home, CARDLAKE_VIA: "pages" }
  const policy = { ...quickPolicy, timeoutMillis: 30_000, maxRateWaitMillis: 600_000, minuteMillis }
  return yield* Effect.gen(function* () {
    const findings = yield* examine(settings, Duration.hours(36))
    const report = yield* night()
    const { arrivedMillis, counts } = ofNight
    const seconds = ((arrivedMillis.at(-1) ?? 0) - (arrivedMillis[0] ?? 0)) / 1000
    return { arrivedMillis, counts, expected: findings.find(({ name }) => name === "limits")?.night, report, seconds }
  }).pipe(Effect.provideService(RetryPolicy, policy))
})

const examined = (settings: Record<string, string>) =>
  Effect.gen(function* () {
    const findings = yield* examine({ CARDLAKE_HOME: `${yield* newFolder}/none`, ...settings }, Duration.hours(36))
    return (name: string) => findings.filter((finding) => finding.name === name)
  }).pipe(Effect.provide(NodeServices.layer))

const verdictOf = ([found]: ReadonlyArray<Finding>) => [found?.ok, found?.says]

/** What `doctor` finds where the first game has no products, and the second one these. */
const ofProducts = Effect.fnUntraced(function* (products: ReadonlyArray<Json>, settings: Record<string, string> = {}) {
  const catalogue = yield* catalogueFolder({ "an-empty-game": [{ products: [] }], [gameId]: [{ products }] })
  const { key, url } = yield* serveSandbox({ catalogue, rateLimit: 600 })
  return yield* examined({ CARDLAKE_URL: `${url}/v1/`, CARDLAKE_API_KEY: key, ...settings })
})

const priced = (id: number, block: string, externalIds: Json = {}) =>
  card(id, { pricesByFinish: { Foil: { [block]: { currency: "EUR", low: 2.5 } } }, externalIds })
const live = [
  priced(1, "cardmarket", { scryfallId: "m-1" }),
  sealed(2, { prices: { tcgplayer: { currency: "USD", low: 90 } } }),
  card(3, { externalIds: { cardmarket: [{ finish: "Standard", id: 71 }] } }),
  card(4)
]

describe("doctor reads a page of the first game that has products, and", () => {
  testIn(NodeServices.layer)("says in whose words it is, and how much is understood", function* () {
    const found = yield* ofProducts(live)
    assert.deepStrictEqual(verdictOf(found("words")), [
      true,
      "The products of hollowmere match dialect live: of 4, 2 have prices and 2 have ids, all understood"
    ])
  })

  testIn(NodeServices.layer)("asks once about each of the other games, and for the list of games once", function* () {
    const games = ["an-empty-game", "fable", "riddle", "saga"]
    const deployed = (id: string) => (id === games[0] ? [] : [card(1, { gameId: id, game: { id, name: id } })])
    const catalogue = yield* catalogueFolder(Object.fromEntries(games.map((id) => [id, [{ products: deployed(id) }]])))
    const { key, requests, url } = yield* serveSandbox({ catalogue, faults: {} })
    const found = yield* examined({ CARDLAKE_URL: url, CARDLAKE_API_KEY: key })
    // The list; of a game its head twice, expansions, products, the changelog, the products again.
    assert.deepInclude(found("limits")[0]?.night, { games: 4, requests: 1 + 4 * 6 })
    assert.deepStrictEqual(
      [...(yield* requests).values()].reduce((sum, times) => sum + times, 0),
      1 + 4
    )
  })

  testIn(NodeServices.layer)("says what a night will do with keys that no dialect has", function* () {
    const found = yield* ofProducts([priced(1, "harbour"), priced(2, "sourceEur", { dockId: "d" }), card(3)])
    assert.deepStrictEqual(verdictOf(found("words")), [
      false,
      "The products of hollowmere match dialect spec, but 66.7 % of the products have prices or external ids under keys that the contract does not know, so no table has them: externalIds.dockId, pricesByFinish.*.harbour. A night stores the pages and holds the game. Name them in a mapping file. See the marketplace's answers: cardlake doctor --capture capture.json; then publish the stored pages: cardlake replay hollowmere --dialect dialect.json"
    ])
  })

  testIn(NodeServices.layer)("doubts keys that so few products have that a night is not held for them", function* () {
    const found = yield* ofProducts([
      ...Array.from({ length: 100 }, (_, id) => priced(id + 1, "sourceEur")),
      priced(101, "harbour")
    ])
    const [ok, says] = verdictOf(found("words"))
    assert.isTrue(ok)
    assert.isTrue(found("words")[0]?.isDoubt)
    assert.match(String(says), /but 1 of 101 have .*harbour\. A night publishes the game without them, and table/)
  })

  testIn(NodeServices.layer)(
    "asks every rule that holds a night, and doubts what a page alone does not show",
    function* () {
      const free = (id: number) => card(id, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 0 } } } })
      const [found] = (yield* ofProducts([free(1), free(2)]))("words")
      assert.isTrue(found?.isDoubt)
      assert.match(
        found?.says ?? "",
        /, but of this page there are price blocks \(Source EUR for 2 products\) but no price above 0 in any of them\. A night holds the game if this is true of all pages$/
      )
    }
  )

  testIn(NodeServices.layer).full("knows which of them a night holds where one is published", function* () {
    const harbour = (count: number) => Array.from({ length: count }, (_, id) => priced(id + 1, "harbour"))
    const others = [priced(50, "sourceEur"), priced(51, "sourceEur", { dockId: "d" })]
    const catalogue = yield* catalogueFolder({
      [gameId]: [{ products: harbour(3) }, { products: [...harbour(3), ...others] }]
    })
    const { home, inHome, night, sandbox, settings } = yield* marketplaceAndHome({ catalogue })
    const words = Effect.map(examined({ ...settings, CARDLAKE_HOME: home }), (found) => found("words"))
    yield* night()
    yield* inHome(runRelease({ gameId, wanted: null, why: null }))
    assert.match(
      String(verdictOf(yield* words)[1]),
      /A night publishes the game without them, as the published one does/
    )
    yield* sandbox.deploy(gameId)
    const [found] = yield* words
    assert.isFalse(found?.ok)
    assert.match(
      found?.says ?? "",
      /20\.0 % of the products now have .*: externalIds\.dockId\. A night stores the pages and holds the game/
    )
    const [report] = (yield* night()).games
    assert.strictEqual(report?.verdict, "held")
    assert.match(report?.reason ?? "", /^20\.0 % of the products now have .*: externalIds\.dockId\n/)
  })

  testIn(NodeServices.layer)("says when it has words of two dialects", function* () {
    const [ok, says] = verdictOf((yield* ofProducts([priced(1, "sourceEur"), priced(2, "cardmarket")]))("words"))
    assert.isFalse(ok)
    assert.match(
      String(says),
      /of hollowmere has names of several dialects \(cardmarket, sourceEur\): product 2 has cardmarket, which spec does not have\. A night would hold the game\. If it persists, write a mapping file: cardlake doctor --capture /
    )
  })

  testIn(NodeServices.layer)("says when other words were asked for", function* () {
    const [ok, says] = verdictOf((yield* ofProducts(live, { CARDLAKE_DIALECT: "spec" }))("words"))
    assert.isFalse(ok)
    assert.match(
      String(says),
      /uses the names of live .*With this setting, a night holds the game\. To read it, set --dialect or CARDLAKE_DIALECT to live, or leave them out$/
    )
  })

  testIn(NodeServices.layer)("names a game that is listed and cannot be searched, and goes on", function* () {
    const { settings } = yield* listen(({ body, path }, response) => {
      if (path.endsWith("/games"))
        return sendJson(response, { data: ["lost", "fable"].map((id) => ({ id, name: id })) })
      if (body.includes("lost")) return sendError(response, 500, "GAME_NOT_FOUND", { gameId: "lost" })
      const pagination = { offset: 0, limit: 200, total: 1, hasMore: false }
      return sendJson(response, { data: [priced(1, "sourceEur")], pagination })
    })
    const findings = (yield* examined(settings))("words")
    assert.strictEqual(findings.length, 2)
    const lost = findings.find(({ ok }) => !ok)?.says ?? ""
    assert.match(lost, /does not know .*lost.*report this to the marketplace; a night reads the other games$/)
    assert.notInclude(lost, "cardlake doctor")
  })

  testIn(NodeServices.layer)("says that no limit is known where the answers state none", function* () {
    const { settings } = yield* listen(({ path }, response) =>
      path.endsWith("/games")
        ? sendJson(response, { data: [{ id: gameId, name: "Hollowmere" }] })
        : sendJson(response, { data: live, pagination: { offset: 0, limit: 200, total: 1801, hasMore: true } })
    )
    // The list, two heads, expansions, ten pages of products, the changelog, five of the pages again.
    assert.deepStrictEqual(verdictOf((yield* examined(settings))("limits")), [
      true,
      "The marketplace states no rate limit; a night over 1 game needs about 20 requests"
    ])
  })
})

describe("a night", () => {
  testIn(NodeServices.layer).full(
    "needs as many requests as doctor says, within any minute no more than are allowed, and not less time",
    function* () {
      const { arrivedMillis, counts, expected, report, seconds } = yield* limitedNight(1000, 8, 3000)
      assert.strictEqual(report.verdict, "published")
      assert.strictEqual(report.requests, arrivedMillis.length)
      assert.strictEqual(expected?.requests, arrivedMillis.length)
      // How much longer it takes, on a machine with other work to do, is measured with longer minutes.
      assert.isAtLeast(seconds, 0.95 * (expected?.seconds ?? Infinity))
      assert.strictEqual(counts.refused, 0)
      assert.isAtMost(counts.most, 8)
    }
  )
})
