import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { homeBy as homeByRoad } from "./bothRoads.ts"
import { day, files, head, sandboxRequest, servedDays } from "./feedGame.ts"
import { FeedWait } from "../../src/run/nightQueue.ts"

const brief = Effect.provideService(FeedWait, { looks: 3, everyMillis: 300 })

it.live("files that lag are waited for, and shown deployments are what a night has", () =>
  Effect.gen(function* () {
    const { asked, deploy, homeBy, sandbox } = yield* servedDays(
      [day(10), day(11, "Lantern Ray"), day(12, "Lantern Cod")],
      { feedLag: 1_000_000 }
    )
    const { night, rows } = yield* homeBy("feeds")
    const first = yield* brief(night())
    yield* deploy
    yield* asked

    // They lag for ever: after three looks, what they show is what is published. The newer deployment is left.
    const behind = yield* brief(night())
    assert.deepInclude(behind.games[0], { verdict: "unchanged", deploymentId: first.games[0]?.deploymentId ?? null })
    const looks = yield* asked
    assert.deepStrictEqual([looks[files], looks[head]], [5, 5])
    assert.deepStrictEqual(yield* rows("select count(*)::int as n from deployments"), [{ n: 1 }])

    // They follow while the night waits.
    yield* Effect.forkScoped(Effect.delay(sandboxRequest(sandbox, "feeds", { lagSeconds: 0 }), 400))
    const waited = yield* brief(night())
    assert.deepInclude(waited.games[0]?.changes?.products, { modified: 2, modifiedCatalogue: 1 })
    assert.strictEqual(waited.games[0]?.reconciliation?.unexplained, 0)

    // Of two deployments the files show one: the other one, and what it claims, are for the next night.
    yield* sandboxRequest(sandbox, "clock", { seconds: 1000 })
    yield* sandboxRequest(sandbox, "feeds", { lagSeconds: 500 })
    yield* deploy
    const kept = yield* brief(night())
    assert.strictEqual(kept.verdict, "unchanged")
    yield* sandboxRequest(sandbox, "feeds", { lagSeconds: 0 })
    const last = yield* brief(night())
    assert.deepInclude(last.games[0], { verdict: "published" })
    assert.deepInclude(last.games[0]?.reconciliation, { confirmed: 1, unexplained: 0 })
    assert.deepStrictEqual(yield* rows("select count(*)::int as n from deployments"), [{ n: 3 }])
  }).pipe(Effect.scoped)
)

it.live("files older than what pages had published are not read, and auto stays on the published road", () =>
  Effect.gen(function* () {
    const { deploy, homeBy, sandbox } = yield* servedDays([day(10), day(11, "Lantern Ray")], { feedLag: 1_000_000 })
    const { home, night } = yield* homeBy("pages")
    yield* night()
    yield* deploy
    yield* night()
    const homeOf = (road: "auto" | "feeds") => homeByRoad(sandbox, road, { CARDLAKE_HOME: home })
    const feeds = yield* homeOf("feeds")
    const behind = yield* brief(feeds.night())
    assert.strictEqual(behind.verdict, "failed")
    assert.match(behind.games[0]?.reason ?? "", /are older than the lake/)
    const auto = yield* homeOf("auto")
    assert.deepInclude((yield* auto.night()).games[0], { verdict: "unchanged", road: "pages" })
  }).pipe(Effect.scoped)
)

it.live("auto takes the other road only once the published one has failed twice", () =>
  Effect.gen(function* () {
    const { deploy, homeBy } = yield* servedDays([day(10), day(11, "Lantern Ray"), day(12, "Lantern Cod")], {
      faults: {
        rules: [
          { kind: "null-feed", endpoint: "feeds", at: [3] },
          { kind: "null-feed", endpoint: "feeds", at: [6, 7] }
        ]
      }
    })
    const { night, rows } = yield* homeBy("auto")
    yield* night()
    yield* deploy
    const once = yield* night()
    assert.deepInclude(once.games[0], { verdict: "published", road: "feeds" })
    yield* deploy
    const twice = yield* night()
    assert.deepInclude(twice.games[0], {
      verdict: "published",
      road: "pages",
      roadReason: "the marketplace has no feed files of it"
    })
    assert.deepStrictEqual(yield* rows("select name from products where product_id = 2"), [{ name: "Lantern Cod" }])
  }).pipe(Effect.scoped)
)
