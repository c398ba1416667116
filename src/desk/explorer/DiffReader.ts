import { Effect, RcMap, type Scope, Semaphore } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { openDiff, summary } from "../../store/diff/diffSnapshots.ts"
import { readReleaseNotes, type Difference } from "../notes/readReleaseNotes.ts"
import type { FileDamaged } from "../../store/home/disk.ts"
import type { UnsupportedContract } from "../../store/home/jsonFile.ts"
import { Home } from "../../store/home/Home.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { readSnapshot } from "../../store/home/Manifest.ts"
import { type LakeView, rowsOf } from "./LakeReader.ts"

/** A computed difference of two snapshots: its counts and its tables `changes` and `reconciliations`. */
export interface OpenDifference {
  readonly difference: Difference
  readonly rows: LakeView["rows"]
}

/** The two snapshots of a game to compare. */
interface Pair {
  readonly gameId: string
  readonly from: SnapshotId
  readonly to: SnapshotId
}

export interface DiffReader {
  readonly difference: (
    pair: Pair
  ) => Effect.Effect<OpenDifference, LakeError | FileDamaged | UnsupportedContract, Scope.Scope>
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
  return { difference } satisfies DiffReader
})

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
  const rows = rowsOf(session.connection)
  return {
    difference,
    rows: (step, sql, parameters) => turn.withPermits(1)(rows(step, sql, parameters))
  } satisfies OpenDifference
})
