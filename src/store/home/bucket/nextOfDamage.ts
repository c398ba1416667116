import { gameKey, gameOf, lakeKey } from "./bucketKeys.ts"

const restore = "Restore it from a backup of the bucket"

/** Raw pages: no table and no night can be made into them again. */
const nextOfPage = `${restore}: there is no other copy. Only a replay or repair of its snapshot needs it; it is reported until that snapshot is pruned: cardlake prune`

const nextOfFile = `${restore}, or repair what can be repaired with: cardlake doctor --repair`

/** What to do about an object that is damaged, by its key. */
export const nextOfObject = (key: string): string => (/^games\/[^/]+\/raw\//.test(key) ? nextOfPage : nextOfFile)

/** The same about a document. */
export const nextOfDocument = `${restore}: there is no other copy`

/** The same about the state of a game of which nothing is there: a changed `lake.json` may name it. */
export const nextOfNothing = (gameId: string): string =>
  `${restore} with the rest of games/${gameId}/. If there never was such a game, remove lake.json and rebuild it with: cardlake doctor --repair`

/** The same about a short text: a document, or the report of a run, which a repair goes on without. */
export const nextOfText = (key: string): string =>
  /^shared\/runs\/[^/]+\/(?!runs\.)/.test(key) ? nextOfFile : nextOfDocument

/** The same about one that follows from others. A backup has what it was before the last publications. */
export const nextOfMade = "Rebuild it with: cardlake doctor --repair"

/** The same about `lake.json` where what it follows from is lost as well. */
export const nextOfLakeAlone = `${restore}, or first the missing documents of games; then rebuild the rest with: cardlake doctor --repair`

/** The same about a document that is there, and is none. */
export const nextOfStrange = (key: string): string => {
  const isSwapped = key === lakeKey || key === gameKey(gameOf(key) ?? "")
  const again = isSwapped
    ? "remove it and rebuild it with: cardlake doctor --repair"
    : "restore it from a backup of the bucket"
  return `If a later version of Cardlake wrote it, update Cardlake; else ${again}`
}

/** Files that every copy has. */
const inCopies = /^(?:snapshots|changes|history|deployments)\/|^fx_rates\./

/** What is left to do about a file, by its path in a home, once a repair has tried. */
export const nextAfterRepair = (path: string): string => {
  if (path.startsWith("raw/")) return nextOfPage
  const copy = inCopies.test(path) ? `, or from ${path} of a copy made by cardlake pull` : ""
  const others = path.startsWith("history/")
    ? ". Until then its game cannot be copied, nor those days exported; nights continue"
    : ""
  return `${restore}${copy}: no command can rebuild it${others}`
}
