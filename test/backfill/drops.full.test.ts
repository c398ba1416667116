import { Effect } from "effect"
import { formatNames } from "../../src/warehouse/formats.ts"
import { Backfilled } from "./Backfilled.ts"
import { exportedAs } from "./exportedAs.ts"
import { suite } from "../support/suite.ts"

suite(Backfilled.layer, "a drop of tables", (it) => {
  for (const format of formatNames.filter((name) => name !== "files")) {
    it(`as ${format} has what a backfill brings`, () => Effect.scoped(exportedAs(format)))
  }
})
