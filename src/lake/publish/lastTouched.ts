import { Effect, Result } from "effect"
import { Home } from "../../home/Home.ts"
import type { Manifest } from "../../home/Manifest.ts"
import { readSnapshot } from "../../home/snapshots.ts"
import type { LastVersions } from "../search/publishTexts.ts"
import type { LakePlan } from "./lakePlan.ts"

/** Both say the same things in the same manner, so that what makes no version is the same in both. */
const areAlike = (one: Manifest, other: Manifest): boolean =>
  one.contractVersion === other.contractVersion &&
  (one.road ?? "pages") === (other.road ?? "pages") &&
  (one.dialect ?? "spec") === (other.dialect ?? "spec")

/**
 * The versions of the games that are one night ahead of `had`, the snapshots that the lake has. What a
 * night did not touch is searched as before. A game that is not in it is to be read as a whole.
 */
export const lastTouched = Effect.fnUntraced(function* (
  { live, nights }: LakePlan,
  had: (gameId: string) => string | undefined
) {
  const home = yield* Home
  const found = new Map<string, LastVersions>()
  for (const { manifest } of live) {
    const { gameId, snapshot } = manifest
    const night = nights.findLast((one) => one.gameId === gameId)
    if (night?.snapshot !== snapshot || night.follows === null || night.follows !== had(gameId)) continue
    const before = yield* Effect.result(readSnapshot(home.snapshot(gameId, night.follows)))
    const [products, expansions] = [night.file("product_versions.parquet"), night.file("expansion_versions.parquet")]
    if (Result.isFailure(before) || products === null || expansions === null) continue
    if (areAlike(before.success.manifest, manifest)) found.set(gameId, { products, expansions })
  }
  return found
})
