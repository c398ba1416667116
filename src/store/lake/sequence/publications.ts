import { join } from "node:path"
import { Effect } from "effect"
import { type Current, Home, lastSequence, type Publication, readCurrent } from "../../home/Home.ts"
import { isThere } from "../../home/disk.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"

/** What one swap published of a game: its tables before were those of `from`, and are those of `to`. */
export interface PublicationOfGame extends Omit<Publication, "snapshot"> {
  /** Null for the game's first publication. */
  readonly from: SnapshotId | null
  readonly to: SnapshotId
}

/** Returns the publications of a home, in order: one per sequence and game. */
export const listPublications = ({ history }: Current): ReadonlyArray<PublicationOfGame> => {
  const live = new Map<string, SnapshotId>()
  const found = new Map<string, PublicationOfGame>()
  for (const { snapshot, ...step } of history.toSorted((a, b) => a.sequence - b.sequence)) {
    const key = `${step.sequence} ${step.gameId}`
    // One commit of a bucket's lake can publish several steps of a game; nobody has seen the tables between them.
    const from = found.get(key)?.from ?? live.get(step.gameId) ?? null
    const backfill = step.backfill ?? found.get(key)?.backfill
    found.set(key, { ...step, from, to: snapshot, ...(backfill === undefined ? {} : { backfill }) })
    live.set(step.gameId, snapshot)
  }
  return [...found.values()].toSorted((a, b) => a.sequence - b.sequence || (a.gameId < b.gameId ? -1 : 1))
}

/** Reads the publications of the home, in order, and the number of the last one; 0 before the first. */
export const readPublications = Effect.gen(function* () {
  const current = yield* readCurrent
  return { publications: listPublications(current), newest: lastSequence(current) }
})

/** True if a publication's tables can be compared: neither snapshot was pruned. */
export const isComparable = ({ from, gameId, to }: PublicationOfGame) =>
  Effect.map(Home, (home) =>
    [from, to].every((one) => one === null || from === to || isThere(join(home.snapshot(gameId, one), "manifest.json")))
  )
