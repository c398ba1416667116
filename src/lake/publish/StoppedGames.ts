import type { FileDamaged } from "../home/FileDamaged.ts"
import type { PartFolder } from "../history/parts.ts"

/** A game that a run leaves as it is published, because the record of one of its months is damaged. */
export interface StoppedGame {
  readonly damage: FileDamaged
  /** Its months as the lake has them on record. */
  readonly parts: ReadonlyArray<PartFolder>
}
export type StoppedGames = ReadonlyMap<string, StoppedGame>

export const noneStopped: StoppedGames = new Map()
