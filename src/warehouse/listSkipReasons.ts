import type { Exported } from "./exportDrop.ts"

/** Returns why an export did not write tables or remove files, without duplicates. */
export const listSkipReasons = ({ games, strays }: Pick<Exported, "games" | "strays">): ReadonlyArray<string> => [
  ...new Set([
    ...games.flatMap(({ leftAlone }) => leftAlone.map(({ reason }) => reason)),
    ...strays.map(({ reason }) => reason)
  ])
]
