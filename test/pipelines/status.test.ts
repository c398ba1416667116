import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Duration, Effect, Logger } from "effect"
import { join } from "node:path"
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Disk } from "../../src/feed/disk/Disk.ts"
import { readStatus } from "../../src/night/observe/readStatus.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { showing } from "../../src/night/run/showing.ts"
import { parseCron } from "../../pipelines/settings/readSchedule.ts"
import { findPrunable } from "../../pipelines/status.ts"
import { statusFindings } from "../../pipelines/lake/statusFindings.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { RunReport } from "../../src/night/observe/RunReport.ts"
import { writeJson } from "../../src/store/home/jsonFile.ts"
import { idOf, priced } from "../store/lake/invented.ts"
import { folderHere, tinySandboxHere } from "../support/place.ts"
import { live, newFolder, shared, suite } from "../support/suite.ts"
import { cardlake, json, settings } from "./cli.ts"
import type { Ended } from "./runHere.ts"

interface Found {
  readonly findings: ReadonlyArray<{ readonly name: string; readonly ok: boolean; readonly says: string }>
}

describe("status", async () => {
  // With a plan of faults, requests are counted.
  const sandbox = await tinySandboxHere("fable", { faults: {} })
  const folder = folderHere()
  const home = join(folder, "lake")
  const env = { ...settings(sandbox.url, home), XDG_STATE_HOME: folder }
  const status = (args: ReadonlyArray<string> = [], more: Record<string, string> = {}): Promise<Ended> =>
    cardlake(["status", ...args], { cwd: folder, env: { ...env, ...more } })
  const says = async (name: string, more: Record<string, string> = {}) => {
    const ended = await status(["--json"], more)
    const found = (json(ended) as Found).findings.find((one) => one.name === name)
    return `${ended.code} ${found?.ok} ${found?.says}`
  }

  beforeAll(async () => {
    const missing = await status()
    const text = /^BAD {2}last night {3}There is no such data directory\. .*run the first night: cardlake nightly$/m
    assert.strictEqual(missing.code, 1)
    assert.match(missing.stdout, text)
    const ended = await cardlake(["nightly"], { cwd: folder, env })
    assert.strictEqual(ended.code, 0)
  })

  it("asks nobody, and says when the last night was", async () => {
    const before = await sandbox.requests()
    assert.match(await says("last night"), /^0 true published, ended \d+s ago, 1 game$/)
    assert.deepStrictEqual(await sandbox.requests(), before)
  })

  it("counts publications since this user's last look, and JSON is no look", async () => {
    assert.match((await status()).stdout, /^ok {3}published {4}1 snapshot since your last look, \d+s ago: fable 1$/m)
    await status(["--json"])
    assert.match(await says("published"), /^0 true Nothing new since your last look/)
    writeFileSync(join(folder, "file"), "")
    // A folder that cannot be written is no reason to fail.
    assert.strictEqual((await status([], { XDG_STATE_HOME: join(folder, "file") })).code, 0)
  })

  it("says that a run was killed, and that the file to query is missing", async () => {
    const lock = { pid: 4_000_000, host: hostname(), machine: "", processStart: "", command: "nightly" }
    const more = { run: "20260501T000000000Z-0000", startedAt: "2026-05-01T00:00:00Z", nonce: "0".repeat(24) }
    writeFileSync(join(home, "lock"), JSON.stringify({ ...lock, ...more }))
    utimesSync(join(home, "lock"), 0, 0)
    const killed = await status()
    assert.strictEqual(killed.code, 1)
    assert.match(killed.stdout, /^BAD +killed run +A run of nightly that began .* ago .* was killed.*cardlake nightly/m)
    assert.notInclude(killed.stdout, "A run is active now")
    // The report of an active run is written before its run is committed.
    const [newest = ""] = readdirSync(join(home, "runs")).toSorted().toReversed()
    writeFileSync(join(home, "lock"), JSON.stringify({ ...lock, ...more, run: newest.replace(".json", "") }))
    const active = await status()
    assert.include(active.stdout, "A run is active now")
    assert.notMatch(active.stdout, /last night +published/)
    rmSync(join(home, "lock"))
    renameSync(join(home, "lake.duckdb"), join(folder, "away"))
    assert.match((await status()).stdout, /^BAD +lake +lake\.duckdb is missing, .*cardlake doctor --repair$/m)
    renameSync(join(folder, "away"), join(home, "lake.duckdb"))
  })

  it("shows the next night in the zone of the schedule, and in UTC", async () => {
    const next = await says("next night", { CARDLAKE_CRON: "30 3 * * *", CARDLAKE_TZ: "Asia/Tokyo" })
    assert.match(next, /^0 true (\d{4}-\d\d-\d\d) 03:30 Asia\/Tokyo \(\d{4}-\d\d-\d\d 18:30 UTC\), in /)
    const sameDay = await says("next night", { CARDLAKE_CRON: "0 20 * * *", CARDLAKE_TZ: "Asia/Tokyo" })
    assert.match(sameDay, /^0 true \d{4}-\d\d-\d\d 20:00 Asia\/Tokyo \(11:00 UTC\), in /)
  })

  it("names settings that cannot be used, with which no night leaves a report, beside everything else", async () => {
    const wrong = await status([], { CARDLAKE_CRON: "0 25 * * *", CARDLAKE_TZ: "Europe/Zürich", CARDLAKE_VIA: "post" })
    assert.match(wrong.stdout, /^BAD {2}settings {5}CARDLAKE_VIA is "post"/m)
    assert.strictEqual(wrong.code, 1)
    assert.match(wrong.stdout, /^BAD {2}next night {3}Not known, nor whether one was missed$/m)
    assert.match(
      wrong.stdout,
      /^ +CARDLAKE_CRON is "0 25 \* \* \*"\. Expected a value between 0 and 23 in field hour, got "25"/m
    )
    assert.match(
      wrong.stdout,
      /^ +CARDLAKE_TZ is "Europe\/Zürich", not the name of a time zone, such as Europe\/Zurich/m
    )
    assert.match(wrong.stdout, /^ok {3}last night /m)
  })

  it("has levels, times, bytes and counts as values for programs", async () => {
    const schedule = { CARDLAKE_CRON: "0 3 * * *", CARDLAKE_TZ: "UTC" }
    const { findings } = json(await status(["--json"], schedule)) as {
      findings: ReadonlyArray<{ name: string; level: string; values?: Record<string, unknown> }>
    }
    const values = Object.fromEntries(findings.map(({ name, values }) => [name, values]))
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
    assert.deepStrictEqual(
      findings.map(({ level }) => level),
      findings.map(() => "ok")
    )
    assert.deepInclude(values["last night"], { verdict: "published", games: 1, failedGames: [], isRunning: false })
    assert.deepInclude(values["next night"], { zone: "UTC", missed: 0, missedSince: null })
    assert.match(String(values["next night"]?.["nextAt"]), /T03:00:00\.000Z$/)
    assert.match(String(values["age"]?.["readAt"]), time)
    for (const bytes of ["freeBytes", "homeBytes", "lakeBytes"]) assert.isNumber(values["disk"]?.[bytes])
    assert.match(String(values["published"]?.["since"]), time)
  })

  it("says why a night failed before its first game", async () => {
    const failed = await cardlake(["nightly"], { cwd: folder, env: { ...env, CARDLAKE_API_KEY: "wrong" } })
    assert.strictEqual(failed.code, 1)
    const ended = await status()
    assert.strictEqual(ended.code, 1)
    assert.match(
      ended.stdout,
      /^.*: 1 thing needs attention\nBAD {2}last night {3}failed, ended \d+s ago, before its first game\n {18}The marketplace refused the API key.*doctor/
    )
  })
})

/** What the command finds beside a home. */
const beside = { prunable: null, scheduleFaults: [] }

/** A home of one night; the tests add reports. */
const OneNight = shared("OneNight", function* () {
  const home = yield* (yield* tinyMarketplace()).newHome
  return { home, report: yield* home.night.pipe(showing(Date.parse("2026-05-10T03:00:05Z"))) }
})

suite(OneNight.layer, "status", (it) => {
  it("judges each game by its own last night, and says a common reason once", function* () {
    const {
      home,
      report: { games, run, ...night }
    } = yield* OneNight
    const [game] = games
    const found = yield* readStatus("x", { schedule: null, isRemote: false, maxAge: Duration.hours(36) }).pipe(
      Effect.provideContext(home.services)
    )
    const failed = (gameId: string) => ({
      ...game,
      gameId,
      verdict: "failed",
      reason: `No answer for ${gameId} (request id req_${gameId})`,
      requestId: `req_${gameId}`
    })
    const status = (of: object) =>
      statusFindings({ ...found, night: { ...night, run, games }, ...beside, ...of }).map(({ says }) => says)
    const verdicts = [...games, failed("a"), failed("b")]
    const [earlier] = status({ verdicts })
    assert.match(
      earlier ?? "",
      /^2 games failed .* earlier night.*\na failed: No answer for a \(request id req_a\)\. The same: b$/
    )
    // Two failed nights are two rows.
    const reason = "The disk is full"
    const [last, before] = status({ verdicts, night: { ...night, run, games: [], verdict: "failed", reason } })
    assert.match(last ?? "", /^failed, ended .*before its first game\nThe disk is full$/)
    assert.strictEqual(before, earlier)
    const rates = status({ night: { ...night, run, games, ratesFault: "It answered 404" } }).join("\n")
    assert.match(
      rates,
      /No exchange rates .*\nThe last night could not load newer ones\. It answered 404.* cardlake fx --daily/
    )
  })

  it("counts the nights that did not run, and knows a disk that is too full for the next one", function* () {
    const { home } = yield* OneNight
    const disk = yield* Disk
    const schedule = { cron: parseCron("0 3 * * *", "UTC"), zone: "UTC" }
    const findings = (at: string, freeBytes: number) =>
      readStatus("x", { schedule, isRemote: false, maxAge: Duration.hours(96) }).pipe(
        showing(Date.parse(at)),
        Effect.provideService(Disk, { ...disk, freeBytes: async () => freeBytes }),
        Effect.provideContext(home.services),
        Effect.map((found) =>
          statusFindings({ ...found, ...beside }).map(({ name, ok, says }) => `${ok ? "ok" : "BAD"} ${name}: ${says}`)
        )
      )
    const soon = yield* findings("2026-05-11T03:09:30Z", 1e12)
    assert.include(soon, "ok next night: 2026-05-12 03:00 UTC, in 23h 50m")
    assert.match(soon.join(), /ok disk: 1\.0 TB free; the data directory has [\d.]+ [kM]B/)
    const [second = "", first = "", ...more] = yield* findings("2026-05-11T03:20:00Z", 1000)
    assert.match(
      first,
      /^BAD missed night: The night of 2026-05-11 03:00 UTC did not run[^]*run it now: cardlake nightly$/
    )
    assert.match(
      second,
      /^BAD disk: 1\.0 kB free.*needs more than [\d.]+ MB\. Until then nights fail.*\nOld nights free nothing/
    )
    assert.isEmpty(more.filter((one) => one.startsWith("BAD")))
    const [later] = yield* findings("2026-05-13T12:00:00Z", 1e12)
    assert.match(later ?? "", /^BAD missed night: 3 nights did not run, .* since 2026-05-11 03:00 UTC\n/)
  })

  it("shows no published night where a publication failed for lack of space", function* () {
    const {
      home,
      report: { run, ...report }
    } = yield* OneNight
    const later = `${run.slice(0, -4)}ffff`
    yield* writeJson(home.paths.run(idOf(later)), RunReport, { ...report, run: idOf(later) })
    const ended = yield* Effect.promise(() => cardlake(["status", "--json"], { env: home.settings }))
    const [night] = (JSON.parse(ended.stdout) as Found).findings
    assert.match(
      `${ended.code} ${night?.says}`,
      /^1 failed, ended .*hollowmere failed: The run ended before publishing/s
    )
  })
})

live.full("status advises the mildest prune that frees space on a full disk", function* () {
  const { deploy, newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  for (const day of ["01", "02", "03"]) {
    yield* home.night.pipe(showing(Date.parse(`2026-05-${day}T03:00:00Z`)))
    yield* deploy
  }
  const plan = yield* findPrunable.pipe(
    showing(Date.parse("2026-06-15T00:00:00Z")),
    Effect.provideContext(home.services)
  )
  const found = yield* readStatus("x", { schedule: null, isRemote: false, maxAge: Duration.days(90) }).pipe(
    showing(Date.parse("2026-06-15T00:00:00Z")),
    Effect.provideService(Disk, { ...(yield* Disk), freeBytes: async () => 0 }),
    Effect.provideContext(home.services)
  )
  const [bad] = statusFindings({ ...found, ...beside, prunable: plan })
  assert.match(
    bad?.says ?? "",
    /\nA prune needs .*: rm -r \S+\/raw\/hollowmere\/20260501T030000\w+-\w{4}\nThen delete 1 snapshot with .*, \d+ run reports?, which frees about [\d.]+ kB: cardlake prune --keep-days 30 --yes$/
  )
})

live("a night that was held is not ok, until a person has decided", function* () {
  const { deploy, newHome } = yield* tinyMarketplace({ days: [priced("Heron", 40), priced("Grey Heron", 10)] })
  const home = yield* newHome
  yield* home.night
  yield* deploy
  yield* home.night
  const state = yield* newFolder
  const run = (...args: ReadonlyArray<string>) =>
    Effect.promise(() => cardlake(args, { env: { ...home.settings, XDG_STATE_HOME: state } }))
  const held = yield* run("status")
  assert.strictEqual(held.code, 3)
  assert.match(held.stdout, /: 2 things need attention\nHELD last night {3}held, ended \d+s ago, 1 game\nHELD held /)
  yield* run("release", "hollowmere", "--why", "Checked", "--yes")
  const decided = yield* run("status")
  assert.strictEqual(decided.code, 0)
  assert.match(decided.stdout, /^ok {3}last night {3}held, ended \d+s ago, 1 game, no game is held any more$/m)
})

live.full("a night whose disk fails before it reads anything has a report, or warns that it has none", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  yield* home.night
  const disk = yield* Disk
  const full = () => Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }))
  const warnings: Array<unknown> = []
  const failing = (faults: Partial<Disk>) =>
    runNight([], () => {}).pipe(
      Effect.provideService(Disk, { ...disk, ...faults }),
      Effect.provideContext(home.services),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void warnings.push(message))])),
      Effect.flip
    )
  const reports = () => readdirSync(home.paths.runs).length
  const before = reports()
  yield* failing({ link: full })
  assert.strictEqual(reports(), before)
  assert.deepStrictEqual(warnings.flat(), ["report"])
  yield* failing({ readText: (path) => (path === home.paths.current ? full() : disk.readText(path)) })
  assert.strictEqual(reports(), before + 1)
  const status = yield* Effect.promise(() => cardlake(["status", "--json"], { env: home.settings }))
  const night = (JSON.parse(status.stdout) as Found).findings.find(({ name }) => name === "last night")
  assert.match(night?.says ?? "", /^failed, ended .* before its first game\nThe disk is full\. Free space/)
})
