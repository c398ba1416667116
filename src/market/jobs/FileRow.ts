/** A row of an imported file, by column. */
export type FileRow = Readonly<Record<string, unknown>>

/** Which columns of a file are read, and which of them say what a row is about: a header has one of those. */
export interface FileColumns {
  readonly read: ReadonlySet<string>
  readonly naming: ReadonlyArray<string>
}

/** What a column of a row can hold: a list or an object is read by none but `tags` and `graded`. */
export const isCell = (value: unknown): boolean =>
  value === undefined || value === null || ["string", "number", "boolean"].includes(typeof value)

/** An empty cell of a CSV and null in JSON are absent, as is what is no cell. Numbers may come as text. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === "" || !isCell(value) ? undefined : String(value)

export const isInteger = (text: string) => /^-?\d{1,16}$/.test(text)

export const idColumns = ["productId", "sourceEur", "sourceUsd"] as const

/** What a row is about, as far as it can be read, even if the rest of the row cannot. */
export interface NamedLine {
  readonly productId?: string
  readonly sourceEur?: number
  readonly sourceUsd?: number
  readonly customId?: string
}

/** `productId` wins over a source's id. */
export const namedLine = (row: FileRow): NamedLine => {
  const [productId, sourceEur, sourceUsd] = idColumns.map((column) => {
    const id = textOf(row[column])
    return id !== undefined && isInteger(id) ? BigInt(id).toString() : undefined
  })
  const customId = textOf(row["customId"])
  return {
    ...(productId === undefined ? {} : { productId }),
    ...(productId === undefined && sourceEur !== undefined ? { sourceEur: Number(sourceEur) } : {}),
    ...(productId === undefined && sourceUsd !== undefined ? { sourceUsd: Number(sourceUsd) } : {}),
    ...(customId === undefined ? {} : { customId })
  }
}
