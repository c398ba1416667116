/** How far a backfill is. */
export interface BackfillEvent {
  /** Questions that have been answered, or that failed. */
  readonly done: number
  readonly total: number
  /** Price rows of the answers. */
  readonly rows: number
  /** When all will have been asked, by the pace so far and the limits that are known; null = not known, or soon. */
  readonly expectedEndAt: string | null
}

export type BackfillProgress = (event: BackfillEvent) => void
