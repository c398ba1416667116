import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { formatNames } from "../../src/warehouse/formats.ts"
import { Backfilled } from "./Backfilled.ts"
import { exportedAs } from "./exportedAs.ts"

layer(Backfilled.layer, { excludeTestServices: true })("a drop of tables", (it) => {
  for (const format of formatNames.filter((name) => name !== "files")) {
    it.effect(`as ${format} has what a backfill brings`, () => Effect.scoped(exportedAs(format)))
  }
})
