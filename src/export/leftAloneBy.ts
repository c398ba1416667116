import type { ExportedGame } from "./drop/exportGame.ts"

/** Why an export left tables alone, each once. */
export const leftAloneBy = ({ games }: { readonly games: ReadonlyArray<ExportedGame> }): ReadonlyArray<string> => [
  ...new Set(games.flatMap(({ leftAlone }) => leftAlone.map(({ reason }) => reason)))
]
