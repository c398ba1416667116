import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { NightPatience } from "../../../src/night/run/NightSettings.ts"
import { catalogueFolder, card, gameId } from "../../store/lake/invented.ts"
import { homeBy as homeByVia, day, fileOf, files, head, sandboxRequest, servedDays } from "./bothVias.ts"
import { live } from "../../support/suite.ts"
import { isFull } from "../../tried.ts"

const brief = Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), looks: 3, everyMillis: 300 })

live("files that lag are waited for, once a deployment, and shown deployments are what a night has", function* () {
  const { asked, deploy, homeBy, sandbox } = yield* servedDays(
    [day(10), day(11, "Lantern Ray"), day(12, "Lantern Cod"), day(13, "Lantern Dab")],
    { feedLag: 1_000_000 }
  )
  const { night, rows } = yield* homeBy("feeds")
  const first = yield* brief(night())
  yield* deploy
  yield* asked

  // They lag for ever: after three looks, what they show is what is published. The newer deployment is left.
  const behind = yield* brief(night())
  assert.deepInclude(behind.games[0], { verdict: "unchanged", deploymentId: first.games[0]?.deploymentId ?? null })
  assert.isAtLeast(behind.games[0]?.seconds ?? 0, 0.9)
  const looks = yield* asked
  assert.deepStrictEqual([looks[files], looks[head], looks[fileOf("catalog")]], [4, 4, undefined])
  assert.deepStrictEqual(yield* rows("select count(*)::int as n from deployments"), [{ n: 1 }])
  const unshown = behind.games[0]?.unshown ?? null
  assert.isNotNull(unshown)
  assert.notStrictEqual(unshown, first.games[0]?.deploymentId)
  const text = `The feed files of hollowmere do not show its newest deployment, ${unshown}, yet`
  assert.include(verdictText(behind), text)

  // What a night waited for in vain the next one does not wait for again: a wait would be longer than the test may take.
  const patience = { ...NightPatience.defaultValue(), looks: 3, everyMillis: 3_600_000 }
  const patient = Effect.provideService(NightPatience, patience)
  const [again] = (yield* patient(night())).games
  assert.deepStrictEqual([again?.verdict, again?.unshown], ["unchanged", unshown])
  assert.deepStrictEqual(yield* asked, {
    "/v1/games": 1,
    [head]: 2,
    [files]: 2,
    [`/v1/feeds/${gameId}/changelog?limit=100`]: 1
  })

  // A newer deployment is worth a wait, in which the files follow.
  yield* deploy
  yield* Effect.forkScoped(Effect.delay(sandboxRequest(sandbox, "feeds", { lagSeconds: 0 }), 400))
  const waited = yield* brief(night())
  assert.deepInclude(waited.games[0]?.changes?.products, { modified: 2, modifiedCatalogue: 1 })
  assert.deepInclude(waited.games[0]?.reconciliation, { unexplained: 0 })
  assert.isUndefined(waited.games[0]?.unshown)

  if (!isFull) return
  // Of two deployments the files show one: the other one, and what it claims, are for the next night, waited for or not.
  yield* sandboxRequest(sandbox, "clock", { seconds: 1000 })
  yield* sandboxRequest(sandbox, "feeds", { lagSeconds: 500 })
  yield* deploy
  const kept = yield* brief(night())
  assert.strictEqual(kept.verdict, "unchanged")
  yield* sandboxRequest(sandbox, "feeds", { lagSeconds: 0 })
  const last = yield* patient(night())
  assert.deepInclude(last.games[0], { verdict: "published" })
  assert.deepInclude(last.games[0]?.reconciliation, { confirmed: 1, unexplained: 0 })
  assert.deepStrictEqual(yield* rows("select count(*)::int as n from deployments"), [{ n: 4 }])
})

live.full("games that lag wait together, and no longer than the night may take", function* () {
  const games = ["hollowmere", "marsh", "ridge"]
  const of = (name: string) => (id: string) => [
    id,
    [1, 2, 3].map((at) => ({
      products: [{ ...card(at, { name: `${name} ${at}` }), gameId: id, game: { id, name: id } }]
    }))
  ]
  const catalogue = yield* catalogueFolder(Object.fromEntries(games.map(of("Newt"))))
  const sandbox = yield* serveSandbox({ catalogue, livePrices: "frozen", faults: {}, feedLag: 1_000_000 })
  const { home, night } = yield* homeByVia(sandbox, "feeds")
  yield* brief(night())
  const lagging = games.slice(1)
  yield* Effect.forEach(lagging, sandbox.deploy)

  // More than 3 s: a wait of each game by itself would be twice as long.
  const waiting = Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), looks: 2, everyMillis: 1500 })
  const since = performance.now()
  const report = yield* waiting(night())
  const seconds = (performance.now() - since) / 1000
  assert.deepStrictEqual(
    report.games.map(({ gameId, unshown, verdict }) => [gameId, verdict, unshown !== undefined]),
    games.map((id) => [id, "unchanged", lagging.includes(id)])
  )
  const waits = report.games.filter(({ gameId }) => lagging.includes(gameId)).map(({ seconds }) => seconds)
  assert.isAtLeast(Math.min(...waits), 3)
  assert.isBelow(
    seconds,
    waits.reduce((sum, wait) => sum + wait, 0)
  )

  // A wait that the night has no time for is none: it has what they show.
  yield* sandbox.deploy("marsh")
  const bound = yield* homeByVia(sandbox, "feeds", { CARDLAKE_HOME: home, CARDLAKE_AT_MOST: "2 minutes" })
  const long = Effect.provideService(NightPatience, { ...NightPatience.defaultValue(), looks: 3, everyMillis: 100_000 })
  const cut = yield* long(bound.night())
  for (const { verdict } of cut.games) assert.strictEqual(verdict, "unchanged")
  assert.isBelow(cut.seconds, 60)
})

live.full(
  "files older than what pages had published are not read, and auto stays on the published way of reading",
  function* () {
    const { deploy, homeBy, sandbox } = yield* servedDays([day(10), day(11, "Lantern Ray")], { feedLag: 1_000_000 })
    const { home, night } = yield* homeBy("pages")
    yield* deploy
    yield* night()
    const homeOf = (via: "auto" | "feeds") => homeByVia(sandbox, via, { CARDLAKE_HOME: home })
    const feeds = yield* homeOf("feeds")
    const behind = yield* brief(feeds.night())
    assert.strictEqual(behind.verdict, "failed")
    assert.match(behind.games[0]?.reason ?? "", /are older than the lake/)
    const auto = yield* homeOf("auto")
    assert.deepInclude((yield* auto.night()).games[0], { verdict: "unchanged", via: "pages" })
  }
)

live("auto takes the other way of reading only once the published one has failed twice", function* () {
  const { deploy, homeBy } = yield* servedDays([day(10), day(12, "Lantern Cod")], {
    faults: {
      rules: [
        { kind: "null-feed", endpoint: "feeds", at: [3] },
        { kind: "null-feed", endpoint: "feeds", at: [5, 6] }
      ]
    }
  })
  const { night, rows } = yield* homeBy("auto")
  yield* night()
  const once = yield* night()
  assert.deepInclude(once.games[0], { verdict: "unchanged", via: "feeds" })
  yield* deploy
  const twice = yield* night()
  assert.deepInclude(twice.games[0], {
    verdict: "published",
    via: "pages",
    viaReason: "the marketplace has no feed files of it"
  })
  assert.deepStrictEqual(yield* rows("select name from products where product_id = 2"), [{ name: "Lantern Cod" }])
})
