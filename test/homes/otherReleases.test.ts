import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Duration, Effect } from "effect"
import { hash } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { examine } from "../../pipelines/lake/examine.ts"
import { runRepair } from "../../src/night/run/repair/runRepair.ts"
import { frozenHome, frozenReleases, onDay } from "./frozenHome.ts"
import { filesBelow } from "../pipelines/cli.ts"
import { idOf } from "../store/lake/invented.ts"
import { failureOf, live } from "../support/suite.ts"
import { tried } from "../tried.ts"

/** The bytes of every file of a home, by path. */
const contentsOf = (home: string) => new Map(filesBelow(home).map((file) => [file, readFileSync(file, "hex")]))

describe.each(frozenReleases)("a home of release %s", (release) => {
  live.full("whose tables are gone is repaired with the very bytes that the release wrote", function* () {
    const { home } = yield* frozenHome(release)
    const { snapshot } = (yield* home.current).games["hollowmere"] ?? { snapshot: idOf("") }
    const before = new Map(
      ["products", "source_prices", "marketplace_prices", "refusals"].map((table) => {
        const file = join(home.paths.snapshot("hollowmere", snapshot), `${table}.parquet`)
        return [file, readFileSync(file)] as const
      })
    )
    for (const file of before.keys()) rmSync(file)
    const repaired = yield* runRepair(false).pipe(onDay("06-11"), Effect.provideContext(home.services))
    assert.deepStrictEqual(repaired.left, [])
    for (const [file, bytes] of before) assert.isTrue(bytes.equals(readFileSync(file)), file)
  })
})

/** Marks the lake as written by a DuckDB of the future: its version is in the first block, below the block's sum. */
const asOfLaterDuckDB = (lake: string): void => {
  const bytes = readFileSync(lake)
  bytes.writeBigUInt64LE(999n, 12)
  const words = Array.from({ length: 511 }, (_, at) => bytes.readBigUInt64LE(8 + 8 * at))
  const sum = words.reduce((sum, word) => sum ^ BigInt.asUintN(64, word * 0xbf58476d1ce4e5b9n), 5381n)
  bytes.writeBigUInt64LE(sum, 0)
  writeFileSync(lake, bytes)
}

describe("a home of another release", () => {
  const later = ["a manifest in words of its own", "a lake of a later DuckDB"]
  it.live.each(tried(later, (_, index) => index === 1))(
    "with %s is refused by a night, a repair and doctor: it is not called damaged, and no file in it is changed",
    (what) =>
      Effect.gen(function* () {
        const { deploy, home } = yield* frozenHome(frozenReleases[0] ?? "")
        yield* deploy
        if (what === "a lake of a later DuckDB") {
          yield* home.night.pipe(onDay("06-11"))
          asOfLaterDuckDB(home.paths.lake)
        } else {
          const { snapshot } = (yield* home.current).games["hollowmere"] ?? { snapshot: idOf("") }
          const file = join(home.paths.snapshot("hollowmere", snapshot), "manifest.json")
          const { sha256: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
          const later = { ...manifest, dialect: "live-2031", aKeyOfTomorrow: true }
          const sha256 = hash("sha256", JSON.stringify(later, null, 2))
          writeFileSync(file, JSON.stringify({ ...later, sha256 }))
        }
        const before = contentsOf(home.root)
        const repaired = yield* failureOf(runRepair(false).pipe(onDay("06-12"), Effect.provideContext(home.services)))
        const night = yield* failureOf(home.night.pipe(onDay("06-12")))
        const findings = yield* examine(home.settings, Duration.hours(36)).pipe(Effect.provide(NodeServices.layer))
        const files = findings.find(({ name }) => name === "files")?.says ?? ""
        for (const said of [repaired, night, files]) {
          assert.match(said, /was written by a later version of Cardlake, .*Update Cardlake, or choose another home/)
          assert.notInclude(said, "damaged")
        }
        for (const [file, bytes] of before) assert.strictEqual(readFileSync(file, "hex"), bytes, file)
      }).pipe(Effect.scoped)
  )

  const versions = [
    [1000, "up to version 6\\. Update Cardlake, or choose"],
    [5, "from version 6 on\\. To create one, choose"]
  ] as const
  it.live.each(tried(versions, (_, index) => index === 0))(
    "of contract version %i is refused with one sentence, and no file in it is changed",
    ([version, what]) =>
      Effect.gen(function* () {
        const { deploy, home } = yield* frozenHome(frozenReleases[0] ?? "")
        const { snapshot } = (yield* home.current).games["hollowmere"] ?? { snapshot: idOf("") }
        const file = join(home.paths.snapshot("hollowmere", snapshot), "manifest.json")
        const { sha256: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
        const other = { ...manifest, contractVersion: version }
        writeFileSync(file, JSON.stringify({ ...other, sha256: hash("sha256", JSON.stringify(other, null, 2)) }))
        const before = contentsOf(home.root)
        yield* deploy
        const night = yield* failureOf(home.night.pipe(onDay("06-12")))
        const repaired = yield* failureOf(runRepair(false).pipe(onDay("06-12"), Effect.provideContext(home.services)))
        for (const said of [night, repaired]) {
          assert.match(said, new RegExp(`manifest\\.json has contract version ${version}, .* reads homes ${what}`))
        }
        for (const [file, bytes] of before) assert.strictEqual(readFileSync(file, "hex"), bytes, file)
      }).pipe(Effect.scoped)
  )
})
