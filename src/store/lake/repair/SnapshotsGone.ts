import { join } from "node:path"
import { Effect, Schema } from "effect"
import { rawNames } from "../../../feed/reading/RawFiles.ts"
import { namesIn } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { snapshotIdsOf } from "../../home/Manifest.ts"

/** Published games have neither a snapshot nor a raw page: nothing in the home can restore them. */
export class SnapshotsGone extends Schema.TaggedError<SnapshotsGone>()("SnapshotsGone", {
  folder: Schema.String
}) {
  override get message() {
    return `${this.folder} has none of the published snapshots, and no raw page is left to rebuild them from. Restore it from a backup, or start a new home: cardlake nightly --home FOLDER`
  }
}

/** Fails with {@link SnapshotsGone} if games are published and nothing is left of any of them. */
export const snapshotsAreThere = Effect.fn("snapshotsAreThere")(function* ({ games }: Current) {
  const home = yield* Home
  const published = Object.keys(games)
  for (const gameId of published) {
    if ((yield* snapshotIdsOf(gameId)).length > 0) return
    for (const run of yield* namesIn(home.readings(gameId))) {
      if ((yield* namesIn(join(home.readings(gameId), run, rawNames.pages))).length > 0) return
    }
  }
  if (published.length > 0) return yield* new SnapshotsGone({ folder: home.snapshots })
})
