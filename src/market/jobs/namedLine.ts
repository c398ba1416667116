import { isInteger, textOf } from "./cells.ts"
import type { FileRow } from "./FileRow.ts"

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
