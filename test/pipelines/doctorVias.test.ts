import { live } from "../support/suite.ts"
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { examine } from "../../pipelines/lake/examine.ts"
import { isFull } from "../tried.ts"
import { homeBy, day, sandboxRequest, servedDays } from "../night/run/bothVias.ts"

/** What `doctor` says of the way of reading of the one game, and of what a night needs. */
const viaOf = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const findings = yield* examine(settings, Duration.hours(36))
  const named = (name: string) => findings.filter((finding) => finding.name === name)
  const [via] = named("via")
  return { ok: via?.ok, says: via?.says ?? "", via: via?.via, night: named("limits")[0]?.night }
}, Effect.provide(NodeServices.layer))

live(
  "doctor says in which way a night reads a game, why, and what either way costs: as many requests as it sends",
  function* () {
    const { asked, deploy, sandbox } = yield* servedDays([day(10), day(11), day(11, "Lantern Ray")], { rateLimit: 60 })
    const { night, settings } = yield* homeBy(sandbox, "auto")
    const requests = Effect.map(night(), (report) => report.requests)

    const first = yield* viaOf(settings)
    assert.match(
      first.says,
      /^hollowmere will be read by feed files, as the lake does not have it yet: 5 requests and up to 1 MB; page by page 6 requests\. Feed files: facts made \S+ \w+ ago, of the newest deployment; prices made \S+ \w+ ago$/
    )
    // The list of games, what is said of the files, the head, a page.
    assert.strictEqual(
      Object.values(yield* asked).reduce((sum, times) => sum + times, 0),
      4
    )
    assert.deepInclude(first.night, {
      games: 1,
      requests: 6,
      limit: 60,
      seconds: 0,
      byVia: { feeds: { requests: 6, seconds: 0 }, pages: { requests: 7, seconds: 0 } }
    })
    assert.strictEqual(yield* requests, 6)

    const second = yield* viaOf(settings)
    assert.match(second.says, /, as the published night was read: 2 requests and no download; page by page 7/)
    assert.deepInclude(second.via?.feeds, { isPublished: true, isNewest: true })
    assert.strictEqual(yield* requests, 3)

    // Prices alone, then facts of a new deployment.
    yield* deploy
    assert.deepInclude((yield* viaOf(settings)).via?.needs.feeds, { requests: 4 })
    assert.strictEqual(yield* requests, 5)
    if (!isFull) return
    yield* deploy
    assert.deepInclude((yield* viaOf(settings)).via?.needs.feeds, { requests: 6 })
    assert.strictEqual(yield* requests, 7)
  }
)

live.full(
  "doctor says where feed files lag, are not there, or are not what the published night was read by",
  function* () {
    const { deploy, sandbox } = yield* servedDays([day(10), day(11, "Lantern Ray")], { feedLag: 1_000_000 })
    const pages = yield* homeBy(sandbox, "pages")
    const auto = yield* homeBy(sandbox, "auto", { CARDLAKE_HOME: pages.home })
    yield* pages.night()
    yield* deploy
    const behind = yield* viaOf(auto.settings)
    assert.match(
      behind.says,
      /^hollowmere will be read page by page, as the published night was read: 7 requests; by feed files 13 requests and up to 1 MB\. Feed files: facts made .* ago, behind deployment dep_\w+ of 2026-05-02T04:00:00\.000Z, for which a night waits six minutes at most; prices/
    )
    assert.deepInclude(behind.via, { via: "pages" })
    assert.strictEqual(behind.via?.feeds?.isNewest, false)

    yield* sandboxRequest(sandbox, "feeds", { missing: ["hollowmere"] })
    const none = yield* viaOf(auto.settings)
    assert.deepStrictEqual([none.ok, none.says], [true, "hollowmere has no feed files: page by page, 7 requests"])
    const wanted = yield* viaOf({ ...auto.settings, CARDLAKE_VIA: "feeds" })
    assert.deepStrictEqual(
      [wanted.ok, wanted.says],
      [false, "hollowmere has no feed files, and no other way is allowed. Set --via or CARDLAKE_VIA to auto"]
    )
    // As it is set: nothing is asked about files that no night would read.
    assert.strictEqual((yield* viaOf(pages.settings)).via, undefined)
  }
)
