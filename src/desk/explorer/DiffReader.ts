import { Effect, RcMap, Semaphore } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { openDiff, summary } from "../../store/diff/diffSnapshots.ts"
import { readReleaseNotes, type Difference } from "../notes/readReleaseNotes.ts"
import { Home } from "../../store/home/Home.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { exactRows } from "../../store/lake/duckdb/Lake.ts"
import type { LakeView } from "./LakeReader.ts"

interface Pair {
  readonly gameId: string
  readonly from: SnapshotId
  readonly to: SnapshotId
}

/** The command's defaults: lines per section of the release notes, and the bounds of the price moves they show. */
const bounds = { shown: 200, minMove: 20, minPrice: 1 }

/** Computes differences on request and caches each, because a difference never changes. */
export const makeDiffReader = Effect.gen(function* () {
  const open = yield* RcMap.make({ lookup: computed, idleTimeToLive: "2 minutes" })
  // Equal ids make equal cache keys.
  const difference = ({ from, gameId, to }: Pair) => {
    const key = { gameId, from, to }
    return Effect.tapError(RcMap.get(open, key), () => RcMap.invalidate(open, key))
  }
  return { difference }
})
export type DiffReader = Effect.Success<typeof makeDiffReader>

/** Computes a difference of two snapshots: its counts, and its tables `changes` and `reconciliations`. */
const computed = Effect.fnUntraced(function* (pair: Pair) {
  const home = yield* Home
  const from = yield* readSnapshot(home.snapshot(pair.gameId, pair.from))
  const to = yield* readSnapshot(home.snapshot(pair.gameId, pair.to))
  const session = yield* openDiff(from, to)
  const difference: Difference = {
    ...(yield* summary(session, from, to)),
    dialect: to.manifest.dialect ?? "spec",
    fromDeployedAt: from.manifest.deployedAt,
    toDeployedAt: to.manifest.deployedAt,
    ...(yield* readReleaseNotes(session, bounds, null))
  }
  // Only one connection has the tables, so requests run one after another.
  const turn = yield* Semaphore.make(1)
  const ask = exactRows(session.connection)
  const rows: LakeView["rows"] = (...query) => turn.withPermits(1)(ask(...query))
  return { difference, rows }
})
