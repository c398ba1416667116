/** What is wrong in a drop, and where. */
export interface DropFault {
  /** A partition, a table or a file. */
  readonly partition: string
  readonly what: string
}

/** A partition that the next export is to write again. */
export interface Marked {
  readonly gameId: string
  readonly dt: string
  readonly table: string
}

/** What was read back. */
export interface ReadBack {
  readonly partitions: number
  readonly rows: number
  readonly bytes: number
  readonly faults: ReadonlyArray<DropFault>
  readonly marked: ReadonlyArray<Marked>
}
