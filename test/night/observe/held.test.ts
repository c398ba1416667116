import { assert } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { examine } from "../../../pipelines/lake/examine.ts"
import { feedAhead } from "../../../src/night/observe/examineAge.ts"
import { heldGames } from "../../../src/night/observe/heldGames.ts"
import { prometheusText } from "../../../src/night/observe/writePrometheus.ts"
import { checkHealth, readAgain, readScheduleState } from "../../../src/night/observe/ScheduleState.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { card, expansion, gameId } from "../../store/lake/invented.ts"
import { explore } from "../../desk/explorer/explored.ts"
import { cardlake, filesBelow, json } from "../../pipelines/cli.ts"
import { proxyFor } from "../../pipelines/proxy.ts"
import { tinyHome, tinyMarketplace } from "../../safety/tinyNights.ts"
import { shared, live, suite } from "../../support/suite.ts"

/** Forty cards, some of them priced; a card with a new name, because the changelog has no prices. */
const day = (name: string, priced: number) => ({
  expansions: [expansion(1)],
  products: Array.from({ length: 40 }, (_, index) =>
    card(index + 1, {
      ...(index === 0 ? { name } : {}),
      pricesByFinish: index < priced ? { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } : {}
    })
  )
})
const days = [day("Heron", 40), day("Grey Heron", 30), day("Night Heron", 20)]

/** A home whose second night was held, because a quarter of the prices are gone. */
const Held = shared("Held", function* () {
  const { copyOf, deploy, newHome } = yield* tinyMarketplace({ days })
  const home = yield* newHome
  const [first] = (yield* home.night).games
  yield* deploy
  const before = Date.now()
  const second = yield* home.night
  const snapshots = { published: first?.snapshot ?? "", held: second.run }
  const findings = yield* Effect.provideContext(examine(home.settings, Duration.hours(36)), home.services)
  return { home, before, copyOf, deploy, findings, report: second, snapshots }
})

const night = { exitCode: 3, endedMillis: 0 }

suite(Held.layer, "while a game is held", (it) => {
  it("doctor says which, since when, why, and how to look at it and release it", function* () {
    const { findings, snapshots } = yield* Held
    const { held, published } = snapshots
    const found = findings.find(({ name }) => name === "held")
    const minute = `${held.slice(0, 4)}-${held.slice(4, 6)}-${held.slice(6, 8)} ${held.slice(9, 11)}:${held.slice(11, 13)} UTC`
    assert.strictEqual(
      found?.says,
      `${gameId} since ${minute}: Source EUR prices 75.0 % of the products, down from 100.0 %: over 20.0 percentage points less\nLook at the changes: cardlake diff ${gameId} ${published} ${held}\nDecide. If it is right, publish it: cardlake release ${gameId} ${held} --why '…'; if it is wrong, do nothing: the published snapshot does not change, and the next correct night is published`
    )
    assert.deepStrictEqual(
      findings.filter(({ ok }) => !ok).map(({ name }) => name),
      ["held"]
    )
  })

  it("status, the night's verdict and the morning report have the same three lines", function* () {
    const { home, findings, report } = yield* Held
    const says = findings.find(({ name }) => name === "held")?.says ?? ""
    const [, lines = ""] = says.split(" UTC: ")
    const found = yield* Effect.promise(() =>
      cardlake(["status", "--json"], { env: { ...home.settings, XDG_STATE_HOME: home.root } })
    )
    const held = JSON.parse(found.stdout) as { readonly findings: typeof findings }
    assert.strictEqual(found.code, 3)
    assert.strictEqual(lines.split("\n").length, 3)
    const said = held.findings.find(({ name }) => name === "held")?.says.split(" UTC: ")[1]
    assert.strictEqual(said?.replaceAll(` --home ${home.root}`, ""), lines)
    assert.strictEqual(report.games[0]?.reason, lines)
    assert.include(verdictText(report), `${gameId} held: ${lines}\n`)
    const morning = yield* Effect.promise(() => cardlake(["report", "--home", home.root], { env: {} }))
    assert.include(morning.stdout.replaceAll(/[`\\]|^- /gm, ""), `held, ${lines}`)
  })

  it("a later night that holds the same state for another reason replaces the reason", function* () {
    const { copyOf, home } = yield* Held
    const copy = yield* copyOf(home)
    const env = { ...copy.settings, CARDLAKE_HOLD_COVERAGE: "0.1", XDG_STATE_HOME: copy.root }
    const again = yield* Effect.promise(() => cardlake(["nightly"], { env }))
    assert.strictEqual(again.code, 3, again.stderr)
    const { stdout } = yield* Effect.promise(() => cardlake(["status", "--json"], { env }))
    assert.match(stdout, /over 10\.0 percentage points less/)
    assert.notInclude(stdout, "over 20.0 percentage points")
  })

  it("the overview's last runs have its lines one below the other", function* () {
    const { home } = yield* Held
    const { page } = yield* explore(home.services)
    assert.match((yield* page("/")).html, /<br \/>Look at the [^<]*<br \/>Decide\. /)
  })

  it("doctor does not say that the feed is ahead: a night has read it", function* () {
    const { findings } = yield* Held
    assert.strictEqual(
      findings.find(({ name }) => name === "feed")?.says,
      `The newest deployment of every game was read, but is not published: ${gameId} (held)`
    )
  })

  it.full("doctor ends with exit code 3, and with 1 where something is damaged, too", function* () {
    const { home } = yield* Held
    const { CARDLAKE_HOME: _, ...env } = home.settings
    const doctor = Effect.promise(() => cardlake(["doctor", "--home", home.root], { env }))
    const line = new RegExp(`^HELD held {9}${gameId} since [^]* cardlake release --home ${home.root} `, "m")
    const ended = yield* doctor
    assert.strictEqual(ended.code, 3)
    assert.match(ended.stdout, line)
    const table = filesBelow(home.root).find((file) => file.endsWith("source_prices.parquet")) ?? ""
    const whole = readFileSync(table)
    writeFileSync(table, whole.subarray(1))
    const damaged = yield* doctor
    writeFileSync(table, whole)
    assert.strictEqual(damaged.code, 1)
    assert.match(damaged.stdout, /^BAD {2}files /m)
    assert.match(damaged.stdout, line)
  })

  it("/health is ok and says so", function* () {
    const { before, home } = yield* Held
    const ask = (maxAge: Duration.Input) =>
      Effect.provideContext(
        Effect.flatMap(readScheduleState, (state) =>
          checkHealth(state, Duration.fromInputUnsafe(maxAge), readAgain(state))
        ),
        home.services
      )
    const { held, lastVerdict, ok } = yield* ask("36 hours")
    assert.deepStrictEqual([ok, lastVerdict, held.map(({ game }) => game)], [true, "held", [gameId]])
    assert.isAtLeast(Date.parse(held[0]?.since ?? ""), before)
    // Nothing was read for longer than that, held or not.
    assert.isFalse((yield* ask("1 millis")).ok)
  })

  it("/health?live goes by whether the service looks at its clock, whatever is held or failed", function* () {
    const { home } = yield* Held
    const state = yield* Effect.provideContext(readScheduleState, home.services)
    const now = yield* Clock.currentTimeMillis
    const isLive = (lookedMillis: number, running = false) =>
      checkHealth({ ...state, lastVerdict: "failed", lookedMillis, running }, Duration.hours(36), Effect.void).pipe(
        Effect.provideContext(home.services),
        Effect.map(({ live }) => live)
      )
    const minute = 60_000
    const live = [yield* isLive(now - minute), yield* isLive(now - 6 * minute), yield* isLive(now - 6 * minute, true)]
    assert.deepStrictEqual(live, [true, false, true])
  })

  it("Prometheus says so, and since when, also after a night that read other games", function* () {
    const { before, home, report } = yield* Held
    const held = yield* Effect.provideContext(heldGames, home.services)
    const text = yield* prometheusText({ ...night, report: { ...report, games: [] }, held })
    assert.include(text, `cardlake_game_held{game="${gameId}"} 1\n`)
    const [, since = ""] = /cardlake_game_held_since_timestamp_seconds\{game="\w+"\} (\S+)/.exec(text) ?? []
    assert.isAtLeast(Number(since) * 1000, before - 1)
    const free = yield* prometheusText({ ...night, report, held: [] })
    assert.include(free, `cardlake_game_held{game="${gameId}"} 0\n`)
    assert.notInclude(free, "held_since_timestamp_seconds{")
  })

  it("a night leaves it in its Prometheus file", function* () {
    const { copyOf, home } = yield* Held
    const copy = yield* copyOf(home)
    const file = `${copy.root}.prom`
    const env = { ...copy.settings, CARDLAKE_API_KEY: "wrong" }
    const ended = yield* Effect.promise(() => cardlake(["nightly", "--prometheus", file], { env }))
    assert.strictEqual(ended.code, 1)
    assert.include(readFileSync(file, "utf8"), `cardlake_game_held{game="${gameId}"} 1\n`)
    rmSync(file)
  })

  it("diff and report say so, and why; the report with the command that releases it", function* () {
    const { home, snapshots } = yield* Held
    const { held, published } = snapshots
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => cardlake([...args, "--home", home.root], { env: {} }))
    const why = "Source EUR prices 75.0 % of the products, down from 100.0 %"
    const diff = yield* run("diff", gameId, published, held)
    assert.include(diff.stdout, `Held: the later snapshot is not published. Reasons: ${why}`)
    const report = yield* run("report")
    assert.include(report.stdout, `held, ${why}`)
    assert.include(report.stdout, `\`cardlake diff ${gameId} ${published} ${held}\``)
    assert.include(report.stdout, `publish it: \`cardlake release ${gameId} ${held} --why '…'\``)
  })

  it.full("a deployment after it is ahead; released, or read and published, it is held no more", function* () {
    const { copyOf, deploy, home, snapshots } = yield* Held
    const copy = yield* copyOf(home)
    yield* deploy
    const findings = yield* Effect.provideContext(examine(copy.settings, Duration.hours(36)), copy.services)
    assert.match(
      findings.find(({ name }) => name === "feed")?.says ?? "",
      /^The marketplace has newer data, which the next night reads: hollowmere has /
    )
    // The third night is held, too: since the second, but it is the third that a release would publish.
    const third = yield* copy.night
    const [held] = yield* Effect.provideContext(heldGames, copy.services)
    assert.strictEqual(held?.snapshot, third.run)
    assert.isBelow(held?.sinceMillis ?? 0, held?.readMillis ?? 0)
    assert.include(held?.reason, `cardlake diff ${gameId} ${snapshots.published} ${third.run}`)
    yield* Effect.provideContext(runRelease({ gameId, wanted: null, why: null }), copy.services)
    assert.deepStrictEqual(yield* Effect.provideContext(heldGames, copy.services), [])
    const found = yield* Effect.promise(() => cardlake(["doctor", "--json"], { env: copy.settings }))
    const all = json(found) as ReadonlyArray<{ readonly name: string; readonly says: string }>
    assert.strictEqual(all.find(({ name }) => name === "held")?.says, "No game is held")
    // What was taken back was read, too.
    yield* Effect.provideContext(runRollback({ gameId, wanted: null, why: null }), copy.services)
    assert.deepStrictEqual(yield* Effect.provideContext(heldGames, copy.services), [])
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => cardlake([...args, "--home", copy.root], { env: {} }))
    const diff = yield* run("diff", gameId, snapshots.published, third.run)
    assert.strictEqual(diff.code, 0, diff.stderr)
    assert.notInclude(diff.stdout, "Held")
    assert.include((yield* run("report")).stdout, "1 game; nothing needs attention.")
    assert.strictEqual(
      yield* Effect.provideContext(feedAhead(Duration.hours(36)), copy.services),
      `The newest deployment of every game was read, but is not published: ${gameId} (an earlier night)`
    )
  })
})

live(
  "a game whose feed is redeployed again and again is held without a snapshot: there is nothing to release",
  function* () {
    const { newHome, sandbox } = yield* tinyMarketplace({ days })
    const { root } = yield* newHome
    let heads = 0
    const proxy = yield* proxyFor(sandbox.url, ({ answer, path }) =>
      path.includes("/changelog") ? answer.replaceAll(/"id":"dep_[^"]*"/g, () => `"id":"dep_${heads++}"`) : answer
    )
    const home = yield* tinyHome(root, proxy.url, sandbox.key)
    const { games } = yield* home.night
    const found = yield* Effect.provideContext(heldGames, home.services)
    assert.deepStrictEqual(
      found.map(({ gameId, reason, snapshot }) => ({ gameId, reason, snapshot })),
      [{ gameId, reason: games[0]?.reason ?? "none", snapshot: null }]
    )
    assert.match(found[0]?.reason ?? "", /changed in each of 5 rounds .*cardlake nightly$/)
  }
)
