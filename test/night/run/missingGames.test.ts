import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { examine } from "../../../pipelines/lake/examine.ts"
import { computeExitCode, type RunReport } from "../../../src/night/observe/RunReport.ts"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { explore, textOf } from "../../desk/explorer/explored.ts"
import { catalogueFolder, card } from "../../store/lake/invented.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { homeOf } from "../../pipelines/nights.ts"
import { proxyFor } from "../../pipelines/proxy.ts"
import { prometheusText } from "../../../src/night/observe/writePrometheus.ts"
import { shared, suite } from "../../support/suite.ts"

const of = (gameId: string, ...names: ReadonlyArray<string>) =>
  names.map((name) => ({ products: [card(1, { gameId, game: { id: gameId, name: gameId }, name })] }))

const ashmoor = { id: "ashmoor", name: "Ashmoor" }
const brindle = { id: "brindle", name: "Brindle" }

/** A home with both games published; the tests write the list of games that it reads. */
const TwoGames = shared("TwoGames", function* () {
  const catalogue = yield* catalogueFolder({
    ashmoor: of("ashmoor", "Heron", "Grey Heron"),
    brindle: of("brindle", "Vole")
  })
  const sandbox = yield* serveSandbox({ catalogue })
  let list: string | null = null
  const proxy = yield* proxyFor(sandbox.url, ({ answer, path }) =>
    path === "/v1/games" && list !== null ? list : answer
  )
  const { home, inHome, night, rows, services, settings } = yield* homeOf({ key: sandbox.key, url: proxy.url })
  const first = yield* night()
  const lists = (...records: ReadonlyArray<object>) =>
    Effect.sync(() => {
      list = JSON.stringify({ data: records })
    })
  yield* sandbox.deploy("ashmoor")
  yield* lists(ashmoor)
  return {
    home,
    night,
    lists,
    /** Brindle's snapshot. */
    published: first.games.find((game) => game.gameId === "brindle")?.snapshot ?? "",
    /** The night after both were read: brindle is not in the list any more. */
    vanished: yield* night(),
    rows,
    explored: inHome(explore(services)),
    finding: (name: string) =>
      Effect.map(inHome(examine(settings, Duration.hours(36))), (all) => all.find((finding) => finding.name === name))
  }
})

const verdicts = ({ games }: RunReport) => games.map(({ gameId, verdict }) => [gameId, verdict])

suite(TwoGames.layer, "every game of the lake has a verdict", (it) => {
  it("missing, where the marketplace does not list it any more; the others are read", function* () {
    const { home, published, vanished } = yield* TwoGames
    assert.deepStrictEqual(
      vanished.games.map(({ gameId, products, snapshot, verdict }) => [gameId, verdict, products, snapshot]),
      [
        ["ashmoor", "published", 1, vanished.run],
        ["brindle", "missing", null, published]
      ]
    )
    assert.strictEqual(vanished.verdict, "missing")
    assert.strictEqual(computeExitCode(vanished.games), 3)
    const manifest = readFileSync(
      join(home, "snapshots/game=brindle", `snapshot=${published}`, "manifest.json"),
      "utf8"
    )
    const { extractedAt } = JSON.parse(manifest) as { readonly extractedAt: string }
    const reason = vanished.games[1]?.reason ?? ""
    assert.include(reason, `last read at ${extractedAt}`)
    assert.match(reason, /The lake keeps .*: cardlake nightly ashmoor$/)
  })

  it("which is shown wherever a verdict is", function* () {
    const { explored, rows, vanished } = yield* TwoGames
    const reason = vanished.games[1]?.reason ?? ""
    assert.include(verdictText(vanished), `brindle missing: ${reason}`)
    assert.include(verdictText(vanished), ": 1 published, 1 missing (run")
    const figures = yield* prometheusText({ report: vanished, exitCode: 3, endedMillis: 0 })
    assert.include(figures, 'cardlake_game_verdict{game="brindle",verdict="missing"} 1')
    assert.include(figures, 'cardlake_game_verdict{game="ashmoor",verdict="missing"} 0')
    assert.include(figures, 'cardlake_last_run_verdict{verdict="missing"} 1')
    assert.deepStrictEqual(yield* rows("select game_id, verdict, reason from runs where verdict = 'missing'"), [
      { game_id: "brindle", verdict: "missing", reason }
    ])
    const { page } = yield* explored
    assert.include(textOf((yield* page("/")).html), `did not find the game: ${reason}`)
  })

  it("and doctor names the missing games", function* () {
    const said = yield* (yield* TwoGames).finding("games")
    assert.isFalse(said?.ok)
    assert.match(said?.says ?? "", /no longer offers: brindle\. .*cardlake runs/)
  })

  it("unless the night names its games: then only those have one, and they must be listed", function* () {
    const { night } = yield* TwoGames
    const { message } = yield* Effect.flip(night("brindle"))
    assert.match(message, /no game brindle\. It has: ashmoor\..*lake keeps.*brindle/)
    assert.deepStrictEqual(verdicts(yield* night("ashmoor")), [["ashmoor", "unchanged"]])
  })

  it("missing, with the field at fault, where its record is refused; a new game with such a record fails", function* () {
    const { finding, lists, night } = yield* TwoGames
    yield* lists({ ...brindle, name: 5 }, { id: "cindermoss" }, { name: "Nameless" }, ashmoor, { id: 7, name: "Seven" })
    const { games } = yield* night()
    assert.deepStrictEqual(
      games.map(({ gameId, verdict }) => `${gameId} ${verdict}`),
      ["ashmoor published", "brindle missing", "cindermoss failed", "games[2] failed", "games[4] failed"]
    )
    assert.match(games[1]?.reason ?? "", /record 0 of GET \/v1\/games, name: .*last read at/)
    assert.match(games[2]?.reason ?? "", /record 1 of GET \/v1\/games, name: .*Report it to the marketplace/)
    assert.match(games[3]?.reason ?? "", /, id: /)
    assert.strictEqual(computeExitCode(games), 4)
    // Of so small a game, any refused record of its own would be more than 1 %.
    assert.strictEqual(games[0]?.refused, 0)
    const listed = yield* finding("marketplace")
    assert.deepStrictEqual([listed?.ok, listed?.says.includes("cindermoss: name")], [false, true])
  })

  it.full("failed, where its id cannot name a folder on every disk; nothing beside the home is touched", function* () {
    const { home, lists, night } = yield* TwoGames
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
      "Null",
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
      assert.match(reason ?? "", /cannot name a folder, so it was not read\. Report it to the marketplace$/, gameId)
    }

    assert.isTrue(existsSync(join(beside, "kept")))
  })

  it.full("and the unknown keys of its record are stored, not only those of the first game", function* () {
    const { lists, night, rows } = yield* TwoGames
    yield* lists({ ...ashmoor, bird: "heron" }, { ...brindle, bird: "none" })
    assert.strictEqual((yield* night()).verdict, "published")
    const extras = yield* rows("select extra from games order by game_id")
    assert.deepStrictEqual(
      extras.map(({ extra }) => JSON.parse(String(extra))),
      [{ bird: "heron" }, { bird: "none" }]
    )
  })

  it("but a night whose list of games is empty fails", function* () {
    const { finding, lists, night } = yield* TwoGames
    yield* lists()
    assert.match((yield* Effect.flip(night())).message, /lists no games.* cardlake doctor$/)
    assert.isFalse((yield* finding("marketplace"))?.ok)
  })
})
