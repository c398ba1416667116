import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Disk } from "../../src/feed/disk/Disk.ts"
import { readStatus } from "../../src/night/observe/readStatus.ts"
import { showing } from "../../src/night/run/showing.ts"
import { parseCron } from "../../pipelines/flags/cronFlags.ts"
import { statusFindings } from "../../pipelines/status.ts"
import { tinyMarketplace } from "../safety/tinyNights.ts"
import { folderHere, tinySandboxHere } from "../support/place.ts"
import { live } from "../support/suite.ts"
import { cardlake, json, key } from "./cli.ts"
import type { Ended } from "./runHere.ts"

interface Found {
  readonly findings: ReadonlyArray<{ readonly name: string; readonly ok: boolean; readonly says: string }>
}

describe("status", async () => {
  const sandbox = await tinySandboxHere("fable")
  const folder = folderHere()
  const home = join(folder, "lake")
  let requests = 0
  const watched = createServer((_, response) => {
    requests += 1
    response.writeHead(503).end()
  }).listen(0, "127.0.0.1")
  await once(watched, "listening")
  const address = watched.address()
  const env = {
    CARDLAKE_API_KEY: key,
    CARDLAKE_HOME: home,
    CARDLAKE_URL: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    XDG_STATE_HOME: folder
  }
  const status = (args: ReadonlyArray<string> = [], more: Record<string, string> = {}): Promise<Ended> =>
    cardlake(["status", ...args], { cwd: folder, env: { ...env, ...more } })
  const says = async (name: string, more: Record<string, string> = {}) => {
    const ended = await status(["--json"], more)
    const found = (json(ended) as Found).findings.find((one) => one.name === name)
    return `${ended.code} ${found?.ok} ${found?.says}`
  }

  beforeAll(async () => {
    assert.match(
      (await status()).stdout,
      /^WARN last night {3}There is no such data directory\. .*or run the first night: cardlake nightly$/m
    )
    const ended = await cardlake(["nightly"], {
      cwd: folder,
      env: { ...env, CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: key }
    })
    assert.strictEqual(ended.code, 0)
    return () => void watched.close()
  })

  it("asks nobody, and says when the last night was", async () => {
    assert.match(await says("last night"), /^0 true published \d+s ago, 1 game$/)
    assert.strictEqual(requests, 0)
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
    rmSync(join(home, "lock"))
    renameSync(join(home, "lake.duckdb"), join(folder, "away"))
    assert.match((await status()).stdout, /^BAD +lake +lake\.duckdb is missing, .*cardlake doctor --repair$/m)
    renameSync(join(folder, "away"), join(home, "lake.duckdb"))
  })

  it("knows the next night from the settings, and refuses a schedule that it does not understand", async () => {
    const next = await says("next night", { CARDLAKE_CRON: "0 3 * * *", CARDLAKE_TZ: "Asia/Tokyo" })
    assert.match(next, /^0 true \d{4}-\d\d-\d\d 18:00 UTC, in /)
    const wrong = await status([], { CARDLAKE_CRON: "at three" })
    assert.match(wrong.stderr, /CARDLAKE_CRON is not five fields such as "0 3 \* \* \*"\. Set it/)
  })

  it("says why a night failed before its first game", async () => {
    const failed = await cardlake(["nightly"], {
      cwd: folder,
      env: { ...env, CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: "wrong" }
    })
    assert.strictEqual(failed.code, 1)
    const ended = await status()
    assert.strictEqual(ended.code, 1)
    assert.match(
      ended.stdout,
      /^.*: 1 thing needs attention\nBAD {2}last night {3}failed \d+s ago, before its first game\n {18}The marketplace refused the API key.*doctor/
    )
  })
})

live("status judges each game by its own last night, and says a common reason once", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  const { games, run, ...night } = yield* home.night
  const [game] = games
  const found = yield* readStatus("x", { cron: null, isRemote: false, maxAge: Duration.hours(36) }).pipe(
    Effect.provideContext(home.services)
  )
  const failed = (gameId: string) =>
    Object.assign({}, game, { gameId, verdict: "failed", reason: `No answer for ${gameId}` })
  const [bad] = statusFindings({
    ...found,
    night: { ...night, run, games },
    verdicts: [...games, failed("a"), failed("b")]
  })
  assert.isFalse(bad?.ok)
  assert.match(bad?.says ?? "", /, 1 game, 2 of 3 games failed or missing\na failed: No answer for a\. The same: b$/)
})

live("status knows a night that did not run, and a disk that is too full for the next one", function* () {
  const { newHome } = yield* tinyMarketplace()
  const home = yield* newHome
  yield* home.night.pipe(showing(Date.parse("2026-05-10T03:00:05Z")))
  const disk = yield* Disk
  const findings = (at: string, freeBytes: number) =>
    readStatus("x", { cron: parseCron("0 3 * * *", "UTC"), isRemote: false, maxAge: Duration.hours(36) }).pipe(
      showing(Date.parse(at)),
      Effect.provideService(Disk, { ...disk, freeBytes: async () => freeBytes }),
      Effect.provideContext(home.services),
      Effect.map((found) => statusFindings(found).map(({ name, ok, says }) => `${ok ? "ok" : "BAD"} ${name}: ${says}`))
    )
  const soon = yield* findings("2026-05-11T03:10:00Z", 1e12)
  assert.include(soon, "ok next night: 2026-05-12 03:00 UTC, in 23h 50m")
  assert.match(soon.join(), /ok disk: 1000\.0 GB free; the data directory has [\d.]+ MB/)
  const [second = "", first = "", ...more] = yield* findings("2026-05-11T03:20:00Z", 1000)
  assert.match(first, /^BAD next night: The night of 2026-05-11 03:00 UTC did not run[^]*run it now: cardlake nightly$/)
  assert.match(
    second,
    /^BAD disk: 0\.0010 MB free.*needs more than [\d.]+ MB\nFree some on this disk first; then .*: cardlake prune /
  )
  assert.isEmpty(more.filter((one) => one.startsWith("BAD")))
})
