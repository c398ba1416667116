import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { examine } from "../../pipelines/examine.ts"
import { prometheusText } from "../../pipelines/prometheusText.ts"
import { exitCodeOf } from "../../pipelines/RunReport.ts"
import { runNight } from "../../pipelines/runNight.ts"
import { allServices } from "../../pipelines/services.ts"
import { verdictText } from "../../pipelines/verdictText.ts"
import { Home } from "../../src/lake/Home.ts"
import { explore, textOf } from "../explorer/explored.ts"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { card } from "../lake/invented.ts"
import { lakeRows } from "../lake/tableRows.ts"
import { marketplaceAndHome } from "./nights.ts"
import { startProxy } from "./proxy.ts"

vi.setConfig({ testTimeout: 60_000 })

const of = (gameId: string, ...names: ReadonlyArray<string>) =>
  names.map((name) => ({ products: [card(1, { gameId, game: { id: gameId, name: gameId }, name })] }))

/** The marketplace's list of games as the text that it answers. */
const listOf = (...records: ReadonlyArray<object>) => JSON.stringify({ data: records })
const ashmoor = { id: "ashmoor", name: "Ashmoor" }
const brindle = { id: "brindle", name: "Brindle" }

/** A home in which both games are published, behind a list of games that the test writes. */
const twoGames = Effect.gen(function* () {
  const catalogue = yield* catalogueFolder({
    ashmoor: of("ashmoor", "Heron", "Grey Heron"),
    brindle: of("brindle", "Vole")
  })
  const { sandbox, settings, home } = yield* marketplaceAndHome({ catalogue })
  let list: string | null = null
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startProxy(sandbox.url, ({ answer, path }) => (path === "/v1/games" && list !== null ? list : answer))
    ),
    ({ stop }) => Effect.sync(stop)
  )
  // The refused records of the list would be more than a hundredth of so small a game.
  const flags = { ...settings, CARDLAKE_URL: proxy.url, CARDLAKE_HOLD_REFUSED: "1" }
  const services = yield* Layer.build(allServices(flags).pipe(Layer.provideMerge(NodeServices.layer)))
  const night = (...games: ReadonlyArray<string>) =>
    Effect.provideContext(
      runNight(games, () => {}),
      services
    )
  const first = yield* night()
  return {
    first,
    home,
    night,
    services,
    deploy: sandbox.deploy("ashmoor"),
    lists: (...records: ReadonlyArray<object>) =>
      Effect.sync(() => {
        list = listOf(...records)
      }),
    doctor: Effect.provideContext(examine(flags, Duration.hours(36)), services)
  }
})

it.live("every game of the lake has a verdict every night", () =>
  Effect.gen(function* () {
    const { deploy, doctor, first, home, lists, night, services } = yield* twoGames
    const published = first.games.find((game) => game.gameId === "brindle")?.snapshot ?? null
    const paths = Context.get(services, Home)

    // Not in the list any more.
    yield* lists(ashmoor)
    yield* deploy
    const vanished = yield* night()
    assert.deepStrictEqual(
      vanished.games.map(({ gameId, products, snapshot, verdict }) => [gameId, verdict, products, snapshot]),
      [
        ["ashmoor", "published", 1, vanished.run],
        ["brindle", "missing", null, published]
      ]
    )
    assert.strictEqual(vanished.verdict, "missing")
    assert.strictEqual(exitCodeOf(vanished.games), 3)
    const manifest = yield* Effect.promise(
      () => import(`${paths.snapshot("brindle", published ?? "")}/manifest.json`, { with: { type: "json" } })
    )
    const readAt = String(manifest.default.extractedAt)
    const reason = vanished.games[1]?.reason ?? ""
    assert.include(reason, `last read at ${readAt}`)
    assert.match(reason, /The lake keeps .*: cardlake nightly ashmoor$/)

    // Where a verdict shows.
    assert.include(verdictText(vanished), `brindle missing: ${reason}`)
    assert.include(verdictText(vanished), ": 1 published, 1 missing (run")
    const figures = prometheusText({ report: vanished, exitCode: 3, endedMillis: 0 })
    assert.include(figures, 'cardlake_game_verdict{game="brindle",verdict="missing"} 1')
    assert.include(figures, 'cardlake_game_verdict{game="ashmoor",verdict="missing"} 0')
    assert.include(figures, 'cardlake_last_run_verdict{verdict="missing"} 1')
    const rows = yield* Effect.provideContext(
      lakeRows("select game_id, verdict, reason from runs where verdict = 'missing'"),
      services
    )
    assert.deepStrictEqual(rows, [{ game_id: "brindle", verdict: "missing", reason }])
    const { page } = yield* explore(services)
    const overview = textOf((yield* page("/")).html)
    assert.include(overview, `Missing: ${reason}`)
    const said = (yield* doctor).find((finding) => finding.name === "games")
    assert.deepStrictEqual(
      [said?.ok, said?.says.includes("brindle"), said?.says.includes("ashmoor")],
      [false, true, false]
    )

    // Named: not offered, yet the lake has it; asked for alone, the others get no verdict.
    assert.match(
      (yield* Effect.flip(night("brindle"))).message,
      /no game brindle\. It has: ashmoor\..*lake keeps.*brindle/
    )
    assert.deepStrictEqual(
      (yield* night("ashmoor")).games.map((game) => game.gameId),
      ["ashmoor"]
    )

    // In the list with records that the contract refuses.
    yield* lists({ ...brindle, name: 5 }, { id: "cindermoss" }, { name: "Nameless" }, ashmoor, { id: 7, name: "Seven" })
    const refused = yield* night()
    assert.deepStrictEqual(
      refused.games.map(({ gameId, verdict }) => [gameId, verdict]),
      [
        ["ashmoor", "published"],
        ["brindle", "missing"],
        ["cindermoss", "failed"],
        ["games[2]", "failed"],
        ["games[4]", "failed"]
      ]
    )
    assert.match(refused.games[1]?.reason ?? "", /record 0 of GET \/v1\/games.* name: .*last read at/)
    assert.match(refused.games[2]?.reason ?? "", /record 1 of GET \/v1\/games.* name: .*Report it to the marketplace/)
    assert.match(refused.games[3]?.reason ?? "", / id: /)
    assert.strictEqual(exitCodeOf(refused.games), 4)
    const listed = (yield* doctor).find((finding) => finding.name === "marketplace")
    assert.deepStrictEqual([listed?.ok, listed?.says.includes("cindermoss")], [false, true])

    // Listed with ids that cannot name a folder everywhere; nothing beside the home is touched.
    const beside = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const folder = `${home}-beside`
        mkdirSync(join(folder, "kept"), { recursive: true })
        return folder
      }),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const strange = [
      `../../${basename(beside)}`,
      "..",
      "a/b",
      "a=b",
      "a b",
      "a%2Fb",
      ".hidden",
      "__proto__",
      "CON",
      "nul",
      "com1.x",
      "fable.",
      "x\0y",
      "a".repeat(101)
    ]
    yield* lists(ashmoor, brindle, ...["Ashmoor", ...strange].map((id) => ({ id, name: id })))
    const odd = yield* night()
    assert.deepStrictEqual(
      odd.games.map((game) => game.verdict),
      ["published", "published", ...strange.map(() => "failed"), "failed"]
    )
    assert.match(
      odd.games[2]?.reason ?? "",
      /^The game ids Ashmoor and ashmoor differ only in case.*Report it to the marketplace$/
    )
    for (const { gameId, reason } of odd.games.slice(3)) {
      assert.match(reason ?? "", /cannot name a folder, so it is not read\. Report it to the marketplace$/, gameId)
    }

    assert.isTrue(existsSync(join(beside, "kept")))

    // Unknown keys of the list are kept for every game that is read with it.
    yield* lists({ ...ashmoor, bird: "heron" }, { ...brindle, bird: "none" })
    assert.strictEqual((yield* night()).verdict, "published")
    const extras = yield* Effect.provideContext(lakeRows("select extra from games order by game_id"), services)
    assert.deepStrictEqual(
      extras.map(({ extra }) => JSON.parse(String(extra))),
      [{ bird: "heron" }, { bird: "none" }]
    )

    // An empty list is no night.
    yield* lists()
    assert.match((yield* Effect.flip(night())).message, /lists no games.* cardlake doctor$/)
    assert.deepInclude(
      (yield* doctor).find((finding) => finding.name === "marketplace"),
      { ok: false }
    )
  }).pipe(Effect.scoped)
)
