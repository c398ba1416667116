import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fill, smallDisk } from "../safety/smallDisk.ts"
import { exportTo, fourNights } from "./FourNights.ts"
import { everyFound, killExports } from "./killedExports.ts"

const freeBytes = ["0", "4096", "16384", "32768", "65536", "131072", "262144", "524288"]

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
  }
})
