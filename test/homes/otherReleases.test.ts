import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runRepair } from "../../src/run/runRepair.ts"
import { frozenHome, frozenReleases, onDay } from "./frozenHome.ts"
import { filesBelow } from "../pipelines/cli.ts"
import { idOf } from "../idOf.ts"

const reasonOf = (exit: Exit.Exit<unknown, Error>) => (Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "done")

/** The bytes of every file of a home, by path. */
const contentsOf = (home: string) => new Map(filesBelow(home).map((file) => [file, readFileSync(file, "hex")]))

describe.each(frozenReleases)("a home of release %s", (release) => {
  it.live("whose tables are gone is repaired with the very bytes that the release wrote", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.scoped)
  )
})

describe("a home of a later release", () => {
  it.live("is refused with one sentence, and no file in it is changed", () =>
    Effect.gen(function* () {
      const { deploy, home } = yield* frozenHome(frozenReleases[0] ?? "")
      const { snapshot } = (yield* home.current).games["hollowmere"] ?? { snapshot: idOf("") }
      const file = join(home.paths.snapshot("hollowmere", snapshot), "manifest.json")
      const { sha256: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
      writeFileSync(file, JSON.stringify({ ...manifest, contractVersion: 1000 }))
      const before = contentsOf(home.root)
      yield* deploy
      const said = reasonOf(yield* Effect.exit(home.night.pipe(onDay("06-12"))))
      assert.match(said, /manifest\.json has contract version 1000, .* reads homes up to version \d+\. Update Cardlake/)
      for (const [file, bytes] of before) assert.strictEqual(readFileSync(file, "hex"), bytes, file)
    }).pipe(Effect.scoped)
  )
})
