import type { StagedPartition } from "./PlacePartition.ts"

/** What a commit says of the partition that it puts in place or takes back, under names of our own. */
export const commitFacts = ({ dt, gameId, isFromHistory, snapshots }: StagedPartition): Record<string, string> => ({
  "cardlake.game": gameId,
  "cardlake.dt": dt,
  "cardlake.snapshots": snapshots.join(","),
  ...(isFromHistory ? { "cardlake.from_history": "true" } : {})
})

/** What a commit said of its partition. */
export interface ToldCommit {
  readonly facts: Readonly<Record<string, unknown>>
  readonly isEmptied: boolean
}

/**
 * Days of games that the last commit of each, oldest first, put there. They are there still unless somebody rolled the
 * table back.
 */
export const putThere = (commits: Iterable<ToldCommit>): ReadonlyArray<readonly [game: string, dt: string]> => {
  const last = new Map<string, ToldCommit>()
  for (const commit of commits) {
    const { "cardlake.dt": dt, "cardlake.game": game } = commit.facts
    if (typeof dt === "string" && typeof game === "string") last.set(`${dt} ${game}`, commit)
  }
  return [...last].flatMap(([place, { isEmptied }]) =>
    isEmptied ? [] : [[place.slice(place.indexOf(" ") + 1), place.slice(0, place.indexOf(" "))] as const]
  )
}
