import { stringify } from "csv-stringify/sync"
import type { FileFormat } from "../contract/jobs/Job.ts"
import { lineOf, type ShownRow } from "../inventory/LineRow.ts"

/** The columns of an import, then those that only inform. Beyond the spec: section 11. */
const columns = [
  "productId",
  "finish",
  "condition",
  "gradedGrade",
  "gradedCertification",
  "gradedGradingService",
  "language",
  "quantity",
  "customId",
  "comment",
  "notes",
  "location",
  "tags",
  "listingPrice",
  "listingCurrency",
  "inventoryId",
  "game",
  "productName",
  "updatedAt"
] as const

const cellsOf = (row: ShownRow, productName: string): Readonly<Record<(typeof columns)[number], unknown>> => {
  const { graded, id, listing, tags, ...line } = lineOf(row, "")
  return {
    ...line,
    gradedGrade: graded?.grade,
    gradedCertification: graded?.certification,
    gradedGradingService: graded?.gradingService,
    tags: tags.join(","),
    listingPrice: listing?.price.amount,
    listingCurrency: listing?.price.currency,
    inventoryId: id,
    productName
  }
}

const objectOf = (row: ShownRow, productName: string): string => {
  const { game, graded, id, listing, updatedAt, forSale: _forSale, photos: _photos, ...line } = lineOf(row, "")
  const { amount, currency } = listing?.price ?? { amount: null, currency: null }
  const listed = { listingPrice: amount, listingCurrency: currency }
  return JSON.stringify({ ...line, graded, ...listed, inventoryId: id, game, productName, updatedAt })
}

/** The text of some lines of an export; `isFirst` begins the file. */
export const exportText = (
  format: FileFormat,
  rows: ReadonlyArray<ShownRow>,
  { isFirst, nameOf }: { readonly nameOf: (productId: number) => string; readonly isFirst: boolean }
): string => {
  if (format === "csv") {
    const records = rows.map((row) => cellsOf(row, nameOf(row.product_id)))
    return stringify(records, { columns: [...columns], header: isFirst })
  }
  const texts = rows.map((row) => objectOf(row, nameOf(row.product_id)))
  return texts.length === 0 ? "" : `${isFirst ? "" : ",\n"}${texts.join(",\n")}`
}

/** What surrounds the lines of a file. */
export const exportFrame = (format: FileFormat): readonly [before: string, after: string] =>
  format === "csv" ? ["", ""] : ["[\n", "\n]\n"]
