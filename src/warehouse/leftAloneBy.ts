import type { Exported } from "./exportDrop.ts"

/** Why an export left tables or files alone, each once. */
export const leftAloneBy = ({ games, strays }: Pick<Exported, "games" | "strays">): ReadonlyArray<string> => [
  ...new Set([
    ...games.flatMap(({ leftAlone }) => leftAlone.map(({ reason }) => reason)),
    ...strays.map(({ reason }) => reason)
  ])
]
