import { Effect, Option, Stream } from "effect"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { InventoryFilters } from "../contract/inventory/inventoryOperations.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { chosenLines } from "../inventory/linePages.ts"
import { selectLines, type ShownRow, showLine } from "../inventory/LineRow.ts"
import { commit, State } from "../state/State.ts"
import { endJob, type JobRow } from "./JobRow.ts"
import { stringify } from "csv-stringify/sync"
import type { FileFormat } from "../contract/jobs/jobOperations.ts"

/** The columns of an import, then informative ones. Beyond the spec: section 11. */
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

const formatCells = (row: ShownRow, productName: string): Readonly<Record<(typeof columns)[number], unknown>> => {
  const { graded, id, listing, tags, ...line } = showLine(row, "")
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

const formatObject = (row: ShownRow, productName: string): string => {
  const { game, graded, id, listing, updatedAt, forSale: _forSale, photos: _photos, ...line } = showLine(row, "")
  const { amount, currency } = listing?.price ?? { amount: null, currency: null }
  const listed = { listingPrice: amount, listingCurrency: currency }
  return JSON.stringify({ ...line, graded, ...listed, inventoryId: id, game, productName, updatedAt })
}

/** Returns the text of some lines. `isFirst` is true at the start of the file. */
const exportText = (
  format: FileFormat,
  rows: ReadonlyArray<ShownRow>,
  { isFirst, nameOf }: { readonly nameOf: (productId: number) => string; readonly isFirst: boolean }
): string => {
  if (format === "csv") {
    const records = rows.map((row) => formatCells(row, nameOf(row.product_id)))
    return stringify(records, { columns: [...columns], header: isFirst })
  }
  const texts = rows.map((row) => formatObject(row, nameOf(row.product_id)))
  return texts.length === 0 ? "" : `${isFirst ? "" : ",\n"}${texts.join(",\n")}`
}

/** Returns the text before and after the lines of a file. */
const exportFrame = (format: FileFormat): readonly [before: string, after: string] =>
  format === "csv" ? ["", ""] : ["[\n", "\n]\n"]

const pageRows = 1000

/** Writes an account's lines to a file, one page at a time. An interrupted job starts again. */
export const runExport = Effect.fnUntraced(function* (job: JobRow) {
  const { store } = yield* State
  const files = yield* Files
  const filters: InventoryFilters = JSON.parse(job.filters ?? "{}")
  const { sql, values } = yield* chosenLines(store, job.account_id, filters)
  const total =
    store.one<{ total: number }>(`select count(*) as total from inventory_lines line where ${sql}`, values)?.total ?? 0
  const fileId = yield* commit((tx) => {
    tx.run("update jobs set status = 'processing', total = :total, rows_done = 0, succeeded = 0 where id = :id", {
      id: job.id,
      total
    })
    return tx.newId()
  })
  const page = `${selectLines} where ${sql} and line.id > :after order by line.id limit :most`
  const exportPage = Effect.fnUntraced(function* (after: string) {
    const rows = store.all<ShownRow>(page, { ...values, after, most: pageRows })
    const products = yield* soldProducts(rows.map(({ product_id }) => String(product_id)))
    const text = exportText(job.format, rows, {
      nameOf: (id) => products.get(String(id))?.name ?? "",
      isFirst: after === ""
    })
    yield* commit((tx) =>
      tx.run("update jobs set rows_done = rows_done + :rows, succeeded = succeeded + :rows where id = :id", {
        id: job.id,
        rows: rows.length
      })
    )
    return [text, rows.length < pageRows ? undefined : rows.at(-1)?.id] as const
  })
  const [before, after] = exportFrame(job.format)
  const texts = yield* Stream.toAsyncIterableEffect(
    Stream.concat(
      Stream.make(before),
      Stream.concat(
        Stream.paginate(
          "",
          Effect.fnUntraced(function* (place: string) {
            const [text, next] = yield* exportPage(place)
            return [[text], Option.fromUndefinedOr(next)] as const
          })
        ),
        Stream.make(after)
      )
    )
  )
  yield* files.writing(() =>
    pipeline(Readable.from(texts), createGzip({ level: 1 }), createWriteStream(files.path(fileId)))
  )
  yield* commit((tx) => {
    // The total includes lines added while the file was written.
    tx.run("update jobs set total = succeeded where id = :id", { id: job.id })
    endJob(tx, files, { id: job.id, end: { fileId } })
  })
})
