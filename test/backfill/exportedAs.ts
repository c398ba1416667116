import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { FormatName } from "../../src/warehouse/formats.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { asUsual, didTo, exportTo, temporaryFolder } from "../warehouse/FourNights.ts"
import { Backfilled } from "./Backfilled.ts"

const pastOf = (exported: Effect.Success<ReturnType<typeof exportTo>>) =>
  didTo(exported).filter((did) => did.startsWith("backfill"))

/** Asserts that a drop has the five days of the backfill once earlier days were asked for, and each once. */
export const exportedAs = Effect.fnUntraced(function* (format: FormatName) {
  const { home } = yield* Backfilled
  const inHome = Effect.provideContext(home.services)
  const folder = yield* temporaryFolder
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder, { ...asUsual, format }))), [])
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder))), [
    ...[1, 2, 3, 4, 5].map((day) => `backfilled_prices 2026-05-0${day} added`),
    "backfills 2026-05-06 added"
  ])
  assert.deepStrictEqual(pastOf(yield* inHome(exportTo(folder, asUsual))), [])
  assert.deepStrictEqual((yield* inHome(verifyDrop(folder))).faults, [])
})
