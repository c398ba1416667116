import { isFolderName } from "../../feed/contract/Ids.ts"

/** An id of the feed as a report shows it: short enough to read, and without characters that control a terminal. */
export const shownId = (gameId: string): string => {
  const text = gameId.replaceAll(/\p{Cc}/gu, "\u{fffd}").toWellFormed()
  return text.length > 100 ? `${text.slice(0, 99).toWellFormed()}…` : text
}

/** Why new games cannot have a folder of their own; those that can are left out. */
export const faultsOfNames = (
  gameIds: ReadonlyArray<string>,
  inLake: ReadonlySet<string>
): ReadonlyMap<string, string> => {
  const faults = new Map<string, string>()
  const taken = new Map([...inLake].map((gameId) => [gameId.toLowerCase(), gameId]))
  for (const gameId of gameIds.filter((gameId) => !inLake.has(gameId))) {
    const other = taken.get(gameId.toLowerCase())
    if (!isFolderName(gameId)) faults.set(gameId, `The game id ${JSON.stringify(shownId(gameId))} cannot name a folder`)
    else if (other === undefined) taken.set(gameId.toLowerCase(), gameId)
    else
      faults.set(
        gameId,
        `The game ids ${gameId} and ${other} differ only in case, and some disks would mix their files`
      )
  }
  return faults
}
