import { Effect, Result } from "effect"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { FailedRow } from "../contract/jobs/Job.ts"
import { Files } from "../files/Files.ts"
import type { LineRow } from "../inventory/LineRow.ts"
import { State, type Store } from "../state/State.ts"
import type { JobRow } from "./JobRow.ts"
import { unmentionedLines, unplacedRow } from "./zeroUnmentioned.ts"

type Entries = Iterable<ReadonlyArray<FailedRow>>

const failedRows = function* (store: Store, { id: jobId }: JobRow): Entries {
  let after = 0
  for (;;) {
    const rows = store.all<FailedRow>(
      "select row, code, message from failed_rows where job_id = :jobId and row > :after order by row limit 1000",
      { jobId, after }
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.row
  }
}

const lineLeft = (row: number, { custom_id, id, product_id, quantity }: LineRow): FailedRow => {
  const named = custom_id === null ? "" : ` (customId ${custom_id})`
  const message = `line ${id} of product ${product_id}${named} keeps its ${quantity} units: row ${row} may mean it`
  return { row, code: "LINE_LEFT", message }
}

/** What `replace` would have set to zero, had it known what one row means. */
const linesLeft = function* (store: Store, job: JobRow): Entries {
  const row = job.mode === "replace" ? unplacedRow(store, job) : undefined
  if (row === undefined) return
  let after = ""
  for (;;) {
    const lines = unmentionedLines(store, job, after)
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines.map((line) => lineLeft(row, line))
    after = last.id
  }
}

const reportText = function* (store: Store, job: JobRow) {
  let isFirst = true
  for (const entries of [failedRows(store, job), linesLeft(store, job)]) {
    for (const some of entries) {
      yield (isFirst ? "[\n" : ",\n") + some.map((entry) => JSON.stringify(entry)).join(",\n")
      isFirst = false
    }
  }
  yield "\n]\n"
}

/** The rows that were not imported, and the lines that were left for their sake, as a file; undefined without any. */
export const writeReport = Effect.fnUntraced(function* (job: JobRow) {
  const { store, write } = yield* State
  const files = yield* Files
  if (store.one("select 1 from failed_rows where job_id = :id limit 1", { id: job.id }) === undefined) return undefined
  const id = yield* write((tx) => Result.succeed(tx.newId()))
  yield* files.writing(() => pipeline(Readable.from(reportText(store, job)), createWriteStream(files.path(id))))
  return id
})
