import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { placeAsFiles } from "../../src/export/drop/placeAsFiles.ts"
import { atOnce } from "../../src/export/drop/PlacePartition.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"
import { exportAsBefore } from "./exportAsBefore.ts"
import { FourNights } from "./FourNights.ts"

layer(FourNights.layer, { excludeTestServices: true })("a destination that cannot be written to", (it) => {
  it.effect("is what the message names, not the home, also where DuckDB writes", () =>
    Effect.gen(function* () {
      const { drop, services } = yield* FourNights
      const folder = yield* temporaryFolder
      const written = exportAsBefore(folder, drop, (to, stage) => {
        rmSync(stage, { recursive: true })
        return Effect.succeed(atOnce(placeAsFiles(to)))
      })
      const { _tag, message } = yield* Effect.flip(Effect.provideContext(written, services))
      assert.strictEqual(_tag, "DestinationFailed")
      assert.match(message, /_staging\/.*products\.parquet.* See that the folder is there and can be written to/)
      assert.notInclude(message, "home")
    })
  )

  it.effect("as it is a file is refused", () =>
    Effect.gen(function* () {
      const { services } = yield* FourNights
      const file = join(yield* temporaryFolder, "drop")
      writeFileSync(file, "mine")
      const { message } = yield* Effect.flip(Effect.provideContext(exportTo(file), services))
      assert.strictEqual(message, `${file} is not a folder. Export to an empty folder`)
    })
  )
})
