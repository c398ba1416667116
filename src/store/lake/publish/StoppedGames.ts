import type { FileDamaged } from "../../home/verifyFile.ts"
import type { PartFolder } from "../../home/parts.ts"

/** A game that a run leaves as it is published, because the record of one of its months is damaged. */
export interface StoppedGame {
  readonly damage: FileDamaged
  /** Its months as the lake has them on record. */
  readonly parts: ReadonlyArray<PartFolder>
}

/** The games that a publication leaves as they are, by id. */
export type StoppedGames = ReadonlyMap<string, StoppedGame>
export const noneStopped: StoppedGames = new Map()
