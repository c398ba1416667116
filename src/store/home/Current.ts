import { Effect, Schema } from "effect"
import { GameId, isFolderName, RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { Home } from "./Home.ts"
import { readJson } from "./jsonFile.ts"
import { isThere } from "./disk.ts"
import { recordOf } from "../../feed/guard/joinBelow.ts"

/** What a run was started as. */
export const RunKind = Schema.Literals(["nightly", "release", "rollback", "replay"])
export type RunKind = typeof RunKind.Type

/** One step of the published state: a run made a snapshot of a game the current one. */
export const Publication = Schema.Struct({
  run: RunId,
  kind: RunKind,
  gameId: GameId,
  snapshot: SnapshotId,
  at: Schema.String,
  /** The person's reason; null for a night, or if none was given. */
  why: Schema.NullOr(Schema.String)
})
export type Publication = typeof Publication.Type

/**
 * `current.json`: which snapshot of each game is published, all that were published and are still there, in the
 * order of their first publication, and every step that led here, oldest first. Its rename is the commit.
 */
export const Current = Schema.Struct({
  games: recordOf(isFolderName, Schema.Struct({ snapshot: SnapshotId, published: Schema.Array(SnapshotId) })),
  history: Schema.Array(Publication)
})
export type Current = typeof Current.Type

/** Nothing is inherited: a game may be called `constructor`. */
const byId = (games: Current["games"]): Record<string, Current["games"][string]> =>
  Object.assign(Object.create(null) as Record<string, never>, games)

/** The published state of the home; no games if nothing was ever published. */
export const readCurrent = Effect.gen(function* () {
  const home = yield* Home
  if (!isThere(home.current)) return { games: byId({}), history: [] } satisfies Current
  const current = yield* readJson(home.current, Current)
  return { ...current, games: byId(current.games) } satisfies Current
})

/** The published state after these steps. */
export const withPublications = (current: Current, steps: ReadonlyArray<Publication>): Current => {
  const games = byId(current.games)
  for (const { gameId, snapshot } of steps) {
    const published = games[gameId]?.published ?? []
    games[gameId] = { snapshot, published: published.includes(snapshot) ? published : [...published, snapshot] }
  }
  return { games, history: [...current.history, ...steps] }
}

/** Whether a snapshot is or was published. */
export const wasPublished = (current: Current, gameId: string, snapshot: SnapshotId): boolean =>
  current.games[gameId]?.published.includes(snapshot) === true ||
  current.history.some((step) => step.gameId === gameId && step.snapshot === snapshot)

/** The newest run that committed something; empty if none did. */
export const lastCommittedRun = (current: Current): string =>
  [
    ...current.history.map((step) => step.run),
    ...Object.values(current.games).flatMap((game) => game.published)
  ].reduce((newest, run) => (run > newest ? run : newest), "")
