import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { cardlake, filesBelow } from "../../pipelines/cli.ts"
import { tinyMarketplace } from "../../safety/tinyNights.ts"
import { priced } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"
import { isFull } from "../../tried.ts"

/** Every file of a home with its bytes, except raw pages. */
const filesOf = (root: string) =>
  Object.fromEntries(
    filesBelow(root)
      .filter((file) => !file.startsWith(`${root}/raw/`))
      .map((file) => [file, readFileSync(file, "base64")])
  )

live(
  "a dry run says what a night would publish, and stores nothing but the pages, which that night uses",
  function* () {
    const { deploy, newHome } = yield* tinyMarketplace()
    const home = yield* newHome
    yield* home.night
    yield* deploy
    const before = filesOf(home.root)
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => cardlake(["nightly", ...args], { env: home.settings }))
    const dry = yield* run("--dry-run")
    assert.strictEqual(dry.code, 0)
    assert.match(dry.stdout, /^hollowmere {2}would be published .* 41 /m)
    assert.match(dry.stdout, /\nDry run: nothing was published\. .* uses these pages: cardlake nightly\n$/)
    assert.deepStrictEqual(filesOf(home.root), before)

    const night = yield* home.night
    const [game] = night.games
    assert.deepInclude(game, { verdict: "published", products: 41 })
    assert.isAbove(game?.resumedPages ?? 0, 0)
    assert.match(verdictText(night), /^Requests: .*; \d+ pages? of an earlier run reused/m)
    assert.isUndefined(night.dryRun)

    const wrong = yield* run("--dry-run", "--export", "/tmp/never")
    assert.strictEqual(wrong.code, 2)
    assert.match(wrong.stderr, /A dry run publishes nothing\. Leave out --part-of, --cluster and --export/)

    if (!isFull) return
    // What moved since is read anew.
    yield* deploy
    const told = JSON.parse((yield* run("--dry-run", "--json")).stdout)
    assert.deepInclude(told, { verdict: "published", dryRun: true })
    assert.strictEqual(told.games[0].snapshot, night.run)
    yield* deploy
    const [moved] = (yield* home.night).games
    assert.deepInclude(moved, { verdict: "published", products: 41 })
    assert.isUndefined(moved?.resumedPages)
  }
)

live.full(
  "a dry run of a night that would be held has the reason, and no command for a snapshot that is not there",
  function* () {
    const { deploy, newHome } = yield* tinyMarketplace({ days: [priced("Heron", 40), priced("Grey Heron", 10)] })
    const home = yield* newHome
    yield* home.night
    yield* deploy
    const before = filesOf(home.root)
    const dry = yield* Effect.promise(() => cardlake(["nightly", "--dry-run"], { env: home.settings }))
    assert.strictEqual(dry.code, 3, dry.stdout)
    assert.match(dry.stdout, /^hollowmere held: Source EUR prices 25\.0 % of the products, .* points less$/m)
    assert.notInclude(dry.stdout, "cardlake release")
    assert.deepStrictEqual(filesOf(home.root), before)
  }
)

live("a dry run that fails or is killed is no night", function* () {
  const { newHome, sandbox } = yield* tinyMarketplace()
  const home = yield* newHome
  yield* home.night
  const before = filesOf(home.root)
  const wrong = { ...home.settings, CARDLAKE_API_KEY: "wrong" }
  const failed = yield* Effect.promise(() => cardlake(["nightly", "--dry-run", "--json"], { env: wrong }))
  assert.strictEqual(failed.code, 1)
  assert.deepInclude(JSON.parse(failed.stdout), { run: null, verdict: "failed", dryRun: true })
  assert.deepStrictEqual(filesOf(home.root), before)
  const lock = { pid: 4_000_000, host: hostname(), machine: "", processStart: "", command: "dry run" }
  const more = { run: "20260501T000000000Z-0000", startedAt: "2026-05-01T00:00:00Z", nonce: "0".repeat(24) }
  writeFileSync(join(home.root, "lock"), JSON.stringify({ ...lock, ...more }))
  utimesSync(join(home.root, "lock"), 0, 0)
  const state = { ...home.settings, CARDLAKE_URL: sandbox.url, XDG_STATE_HOME: home.root }
  const status = yield* Effect.promise(() => cardlake(["status", "--json"], { env: state }))
  assert.strictEqual(status.code, 0, status.stdout)
  yield* home.night
  assert.isFalse(existsSync(join(home.root, "runs", `${more.run}.json`)))
})
