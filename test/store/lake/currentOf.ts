import type { SnapshotId } from "../../../src/feed/contract/Ids.ts"
import { type Current, withPublications } from "../../../src/store/home/Home.ts"

/** The published state of a game after nights that published these snapshots, one after the other. */
export const currentOf = (gameId: string, published: ReadonlyArray<SnapshotId>): Current =>
  published.reduce<Current>(
    (current, snapshot) =>
      withPublications(current, [
        { run: snapshot, kind: "nightly", gameId, snapshot, deploymentId: null, at: "", why: null }
      ]),
    { games: {}, history: [] }
  )
