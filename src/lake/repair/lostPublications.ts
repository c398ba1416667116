import { existsSync } from "node:fs"
import { Effect, Schema } from "effect"
import { wasPublished, type Current } from "../Current.ts"
import { foldersIn } from "../foldersIn.ts"
import { readHeldBack } from "../HeldBack.ts"
import { Home } from "../Home.ts"
import { openLake } from "../openLake.ts"
import { partFoldersOf } from "../parts.ts"
import { gamesWithSnapshots, snapshotsOf } from "../snapshots.ts"

/** The home holds published snapshots that `current.json` does not name: it is gone, empty, or older than the rest. */
export class CurrentLost extends Schema.TaggedError<CurrentLost>()("CurrentLost", {
  file: Schema.String,
  games: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.file} does not name the published snapshots of ${this.games.join(", ")} that lie beside it, so nothing was changed. Bring the file back from a backup, or rebuild it with: cardlake doctor --repair`
  }
}

/** Fails with {@link CurrentLost} where the home shows publications that `current` knows nothing of. */
export const noPublicationIsLost = Effect.fn("noPublicationIsLost")(function* (current: Current) {
  const home = yield* Home
  const games = new Set([...(yield* gamesWithSnapshots), ...(yield* foldersIn(home.history, "game="))])
  const unnamed = [...games].filter((gameId) => !Object.hasOwn(current.games, gameId))
  const lost = new Set(yield* Effect.filter(unnamed, showsPublications))
  for (const { gameId, snapshot } of yield* snapshotsOfLake) {
    if (!wasPublished(current, gameId, snapshot) && existsSync(home.snapshot(gameId, snapshot))) lost.add(gameId)
  }
  if (lost.size > 0) return yield* new CurrentLost({ file: home.current, games: [...lost].sort() })
})

/** A first night that died before its commit leaves one snapshot that follows none; anything more was published once. */
const showsPublications = Effect.fnUntraced(function* (gameId: string) {
  const parts = yield* partFoldersOf(gameId)
  const snapshots = yield* snapshotsOf(gameId)
  const held = yield* Effect.forEach(snapshots, ({ folder }) => Effect.orElseSucceed(readHeldBack(folder), () => null))
  const others = snapshots.filter((_, index) => held[index] === null)
  return parts.length > 0 || others.length > 1 || others.some(({ manifest }) => manifest.previous !== null)
})

/** What `lake.duckdb` was built from; nothing where it cannot be read. */
export const snapshotsOfLake = Effect.flatMap(openLake, (session) =>
  session.rows("Ask the lake for its snapshots", "select game_id, snapshot, is_current from snapshots")
).pipe(
  Effect.scoped,
  Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed([])),
  Effect.map((rows) =>
    rows.map((row) => ({
      gameId: String(row["game_id"]),
      snapshot: String(row["snapshot"]),
      isCurrent: row["is_current"] === true
    }))
  )
)
