import { Effect, Option, Result, Stream } from "effect"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { InventoryFilters } from "../contract/inventory/InventoryFilters.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { Files } from "../files/Files.ts"
import { chosenLines } from "../inventory/chosenLines.ts"
import { selectLines, type ShownRow } from "../inventory/LineRow.ts"
import { State } from "../state/State.ts"
import { endJob } from "./endJob.ts"
import { exportFrame, exportText } from "./exportText.ts"
import type { JobRow } from "./JobRow.ts"

const pageRows = 1000

/** Writes an account's lines into a file, a page at a time. A job that was stopped begins again. */
export const runExport = Effect.fnUntraced(function* (job: JobRow) {
  const { store, write } = yield* State
  const files = yield* Files
  const filters: InventoryFilters = JSON.parse(job.filters ?? "{}")
  const { sql, values } = yield* chosenLines(store, job.account_id, filters)
  const total =
    store.one<{ total: number }>(`select count(*) as total from inventory_lines line where ${sql}`, values)?.total ?? 0
  const fileId = yield* write((tx) => {
    tx.run("update jobs set status = 'processing', total = :total, rows_done = 0, succeeded = 0 where id = :id", {
      id: job.id,
      total
    })
    return Result.succeed(tx.newId())
  })
  const page = `${selectLines} where ${sql} and line.id > :after order by line.id limit :most`
  const textOf = Effect.fnUntraced(function* (after: string) {
    const rows = store.all<ShownRow>(page, { ...values, after, most: pageRows })
    const products = yield* soldProducts(rows.map(({ product_id }) => String(product_id)))
    const text = exportText(job.format, rows, {
      nameOf: (id) => products.get(String(id))?.name ?? "",
      isFirst: after === ""
    })
    yield* write((tx) =>
      Result.succeed(
        tx.run("update jobs set rows_done = rows_done + :rows, succeeded = succeeded + :rows where id = :id", {
          id: job.id,
          rows: rows.length
        })
      )
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
            const [text, next] = yield* textOf(place)
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
  yield* write((tx) => {
    // Lines that came while the file was written are in it, too.
    tx.run("update jobs set total = succeeded where id = :id", { id: job.id })
    return Result.succeed(endJob(tx, files, { id: job.id, end: { fileId } }))
  })
})
