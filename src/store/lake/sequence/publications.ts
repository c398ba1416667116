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

/**
 * The point up to which a reader has followed a home: a number, and the newest run that it published. Runs have unique
 * ids, so a home that was replaced, or restored from a backup, has no such publication.
 */
export interface Position {
  readonly sequence: number
  /** Null before the first publication. */
  readonly run: string | null
}

/** Reads the publications of the home, in order, and the position after the last one. */
export const readPublications = Effect.gen(function* () {
  const current = yield* readCurrent
  const publications = listPublications(current)
  const positionAt = (sequence: number): Position => {
    const runs = publications.flatMap((one) => (one.sequence === sequence ? [one.run] : []))
    return { sequence, run: runs.toSorted().at(-1) ?? null }
  }
  return { publications, positionAt, newest: positionAt(lastSequence(current)) }
})

/** True if a publication's tables can be compared: neither snapshot was pruned. */
export const isComparable = ({ from, gameId, to }: PublicationOfGame) =>
  Effect.map(Home, (home) =>
    [from, to].every((one) => one === null || from === to || isThere(join(home.snapshot(gameId, one), "manifest.json")))
  )
