import { assert, describe } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Disk } from "../../src/feed/disk/Disk.ts"
import { examineHome } from "../../src/store/home/claimHome.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import type { RunReport } from "../../src/night/observe/RunReport.ts"
import { backfill } from "../backfill/Backfilled.ts"
import { card, expansion, gameId } from "../store/lake/invented.ts"
import { fill, mount, smallDisk } from "./smallDisk.ts"
import { tinyHome, tinyMarketplace } from "./tinyNights.ts"
import { live } from "../support/suite.ts"
import { tried } from "../tried.ts"

/** Why a night failed; null when it did not. */
const complaint = (exit: Exit.Exit<RunReport, Error>): string | null => {
  if (Exit.isFailure(exit)) return String(Cause.squash(exit.cause))
  return exit.value.games[0]?.verdict === "failed" ? exit.value.games[0].reason : null
}

describe("a night", () => {
  live("on a full disk says so and leaves the lake as it was; given room, the next one publishes", (context) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      if (!disk.isMounted) return context.skip("this process may not mount a small disk")
      const { deploy, sandbox } = yield* tinyMarketplace()
      const home = yield* tinyHome(join(disk.folder, "home"), sandbox.url, sandbox.key)
      yield* home.night
      const old = yield* home.lake
      yield* deploy
      const said: Array<string> = []
      for (const free of tried([0, 65_536, 300_000, 1_000_000], (_, index) => index % 2 === 0)) {
        fill(disk.folder, free)
        const found = complaint(yield* Effect.exit(home.night))
        rmSync(join(disk.folder, "filler"))
        assert.isNotNull(found, `${free} bytes were enough`)
        said.push(found)
        assert.match(found, /The disk is full|no space left/i, `${free} bytes`)
        assert.deepStrictEqual(yield* home.lake, old)
      }
      assert.strictEqual((yield* home.night).games[0]?.verdict, "published")
      assert.notDeepEqual(yield* home.lake, old)
      const left = readdirSync(home.paths.work("")).filter((name) => !name.startsWith("spill-"))
      assert.deepStrictEqual(left, [])
      assert.strictEqual(readdirSync(join(home.root, "raw", gameId)).length, 2)
    }).pipe(Effect.scoped)
  )

  live.full("after a backfill that a full disk stopped has what it stored; given room, it goes on", (context) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      if (!disk.isMounted) return context.skip("this process may not mount a small disk")
      const priced = Array.from({ length: 20 }, (_, index) =>
        card(index + 1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 1 + index } } } })
      )
      const { sandbox } = yield* tinyMarketplace({ days: [{ expansions: [expansion(1)], products: priced }] })
      const home = yield* tinyHome(join(disk.folder, "home"), sandbox.url, sandbox.key)
      yield* home.night
      for (const free of [0, 20_000]) {
        fill(disk.folder, free)
        const failed = yield* Effect.flip(backfill(home))
        rmSync(join(disk.folder, "filler"))
        assert.match(failed.message, /no space left|The disk is full/i, `${free} bytes`)
      }
      const { games } = yield* backfill(home)
      assert.deepInclude(games[0], { failed: 0, left: 0 })
      assert.strictEqual((yield* home.night).backfills?.[0]?.answers, 20)
      const [row] = yield* home.query(
        "select count(*)::int as n, count(distinct product_id)::int as products from backfilled_prices"
      )
      assert.deepStrictEqual(row, { n: 20, products: 20 })
    }).pipe(Effect.scoped)
  )

  live.full("into a home that is read-only says so; the lake still answers", (context) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      if (!disk.isMounted) return context.skip("this process may not mount a small disk")
      const { deploy, sandbox } = yield* tinyMarketplace()
      const home = yield* tinyHome(join(disk.folder, "home"), sandbox.url, sandbox.key)
      yield* home.night
      const old = yield* home.lake
      yield* deploy
      assert.isTrue(mount("-o", "remount,ro", disk.folder))
      assert.match(complaint(yield* Effect.exit(home.night)) ?? "", /cannot be written to/)
      assert.deepStrictEqual(yield* home.lake, old)
      assert.isTrue(mount("-o", "remount,rw", disk.folder))
      assert.strictEqual((yield* home.night).games[0]?.verdict, "published")
    }).pipe(Effect.scoped)
  )

  live(
    "whose home is deleted while it runs says so and writes nothing there; the next one starts a new home",
    function* () {
      const { newHome } = yield* tinyMarketplace()
      for (const stage of tried(["reading", "publishing"], (stage) => stage === "publishing")) {
        const home = yield* newHome
        const night = runNight([], (event) => {
          if (event.stage === stage) rmSync(home.root, { recursive: true, force: true })
        })
        const said = complaint(yield* Effect.exit(Effect.provideContext(night, home.services)))
        assert.include(said, "it was deleted or moved, or another run took it over. Nothing was published", stage)
        for (const name of ["runs", "current.json", "lake.duckdb"]) assert.isFalse(existsSync(join(home.root, name)))
        assert.strictEqual((yield* home.night).games[0]?.verdict, "published")
      }
    }
  )
})

live(
  "a full disk, which still takes files of no bytes, is named before a night reads anything, and by doctor",
  function* () {
    const { newHome } = yield* tinyMarketplace()
    const home = yield* newHome
    yield* home.night
    const disk = yield* Disk
    const before = readdirSync(home.root)
    const write: Disk["write"] = async (path, content, options) => {
      await disk.write(path, "", options)
      if (content.length > 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
    }
    const { message } = yield* examineHome.pipe(
      Effect.provideService(Disk, { ...disk, write }),
      Effect.provideContext(home.services),
      Effect.flip
    )
    assert.match(
      message,
      /cannot be written to \(ENOSPC.* The disk is full\. Free space on the home's disk \(cardlake status lists what can be deleted\)$/
    )
    assert.deepStrictEqual(readdirSync(home.root), before)
  }
)
