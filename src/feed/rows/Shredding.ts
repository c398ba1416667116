import type { TableBatch } from "./batch/TableBatch.ts"

/** Where the pieces of a record go. */
export interface Shredding {
  readonly table: (name: string) => TableBatch
  /** What the record says beyond the contract, once a record: `drift` counts it. */
  readonly note: (kind: string, place: string, word: string) => void
  /** Keeps the text of a release date that is not an instant under `extra`. */
  readonly badDateToExtra: (record: Record<string, unknown>) => void
}
