import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { startCardlake } from "../pipelines/cli.ts"
import { fill, smallDisk } from "../safety/smallDisk.ts"
import { exportTo, temporaryFolder, fourNights } from "./FourNights.ts"
import { everyFound, killExports } from "./killedExports.ts"

const freeBytes = ["0", "4096", "16384", "32768", "65536", "131072", "262144", "524288"]

/** What begins at the moment at which an export does, in the same destination. */
const besides = [
  "export of the same home",
  "export of a copy of the home",
  "export of one table",
  "--verify",
  "--compact"
]

fourNights("an export", (it) => {
  for (const reader of everyFound) {
    it(`killed at any rename, as ${reader.format}, leaves old or new partitions, and the next goes on`, function* () {
      assert.isAbove(yield* killExports(reader, 1), 3)
    })

    it(`on a full disk, as ${reader.format}, says so, leaves old or new partitions, and the next goes on`, function* () {
      const disk = yield* smallDisk
      if (!disk.isMounted) return
      const drop = join(disk.folder, "drop")
      mkdirSync(drop)
      let failed = 0
      const onFullDisk = (at: string) =>
        Effect.gen(function* () {
          fill(disk.folder, Number(at))
          const ended = yield* Effect.exit(exportTo(drop, { format: reader.format, tables: ["products", "nights"] }))
          rmSync(join(disk.folder, "filler"))
          if (Exit.isFailure(ended)) {
            failed++
            assert.match(
              String(Cause.squash(ended.cause)),
              /The disk is full\. Free space/,
              String(Cause.squash(ended.cause))
            )
          }
          return `${at} bytes free`
        })
      yield* killExports(reader, freeBytes, onFullDisk, Effect.succeed(drop))
      assert.isAbove(failed, 1)
    })

    it(`beside another command, as ${reader.format}, leaves old or new partitions, and the next goes on`, function* () {
      const beside = (at: string, folder: string, root: string) =>
        Effect.gen(function* () {
          const copy = yield* temporaryFolder
          cpSync(root, copy, { recursive: true })
          const ofHome = ["export", "--home", root, "--to", folder, "--table", "products", "--table", "nights"]
          const other = {
            "export of the same home": ofHome,
            "export of a copy of the home": ofHome.with(2, copy),
            "export of one table": ofHome.with(2, copy).slice(0, -2)
          }[at] ?? ["export", "--to", folder, at]
          const both = [startCardlake(ofHome), startCardlake(other)]
          for (const { ended } of both) {
            const { code, stderr, stdout } = yield* Effect.promise(() => ended)
            assert.notMatch(stderr, /\n\s+at .*:\d+/, at)
            if (code !== 0) assert.match(`${stdout}${stderr}`, /\w/, at)
          }
          return at
        }).pipe(Effect.scoped)
      assert.strictEqual(yield* killExports(reader, besides, beside), besides.length)
    })
  }
})
