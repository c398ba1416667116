import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { cardlake, filesBelow } from "../../pipelines/cli.ts"
import { tinyMarketplace } from "../../safety/tinyNights.ts"
import { card } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

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
    assert.isUndefined(night.dryRun)

    // What moved since is read anew.
    yield* deploy
    const told = JSON.parse((yield* run("--dry-run", "--json")).stdout)
    assert.deepInclude(told, { verdict: "published", dryRun: true })
    assert.strictEqual(told.games[0].snapshot, night.run)
    yield* deploy
    const [moved] = (yield* home.night).games
    assert.deepInclude(moved, { verdict: "published", products: 41 })
    assert.isUndefined(moved?.resumedPages)

    const wrong = yield* run("--dry-run", "--export", "/tmp/never")
    assert.strictEqual(wrong.code, 2)
    assert.match(wrong.stderr, /A dry run publishes nothing\. Leave out --part-of, --cluster and --export/)
  }
)

/** Forty cards, some of them priced. */
const priced = (name: string, count: number) => ({
  products: Array.from({ length: 40 }, (_, index) =>
    card(index + 1, {
      ...(index === 0 ? { name } : {}),
      pricesByFinish: index < count ? { Standard: { sourceEur: { currency: "EUR", marketValue: 2 } } } : {}
    })
  )
})

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
