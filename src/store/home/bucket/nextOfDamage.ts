const restore = "Restore it from a backup of the bucket"

/** Raw pages cannot be rebuilt from tables or by a later night. */
const nextOfPage = `${restore}: there is no other copy. Only a replay or repair of its snapshot needs it; it is reported until that snapshot is pruned: cardlake prune`

const nextOfFile = `${restore}, or repair what can be repaired with: cardlake doctor --repair`

/** Returns the next step for a damaged object, by its key. */
export const nextOfObject = (key: string): string => (/\/[0-9a-f]{64}\.raw\./.test(key) ? nextOfPage : nextOfFile)

/** The next step for a damaged document. */
export const nextOfDocument = `${restore}: there is no other copy`

/** Returns the next step for a short text: a list, or a run's report. A repair rebuilds lists of runs, and skips reports. */
export const nextOfText = (key: string): string =>
  /\/[0-9a-f]{64}\.runs\.[^/]+-/.test(key) ? nextOfFile : key.endsWith(".runs.json") ? nextOfMade : nextOfDocument

/** The next step for a derived document. A backup lacks the last publications. */
export const nextOfMade = "Rebuild it with: cardlake doctor --repair"

/** The next step for an existing but invalid document. */
export const nextOfStrange = `If a later version of Cardlake wrote it, update Cardlake; else ${restore[0]?.toLowerCase()}${restore.slice(1)}`

/** Files that every copy has. */
const inCopies = /^(?:snapshots|changes|history|deployments)\/|^fx_rates\./

/** Returns the next step for a file after a repair has failed, by its path in a home. */
export const nextAfterRepair = (path: string): string => {
  if (path.startsWith("raw/")) return nextOfPage
  const copy = inCopies.test(path) ? `, or from ${path} of a copy made by cardlake pull` : ""
  const others = path.startsWith("history/")
    ? ". Until then its game cannot be copied, nor those days exported; nights continue"
    : ""
  return `${restore}${copy}: no command can rebuild it${others}`
}
