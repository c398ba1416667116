/** A row of an imported file, by column. */
export type FileRow = Readonly<Record<string, unknown>>

/** Which columns of a file are read, and which of them say what a row is about: a header has one of those. */
export interface FileColumns {
  readonly read: ReadonlySet<string>
  readonly naming: ReadonlyArray<string>
}
