import { Effect, Result } from "effect"
import { setImmediate } from "node:timers/promises"
import { limits } from "../contract/Limits.ts"
import { type LineRow, makeQuantityLog } from "../inventory/LineRow.ts"
import { setQuantity } from "../inventory/putLine.ts"
import { sqlText } from "../state/sqlText.ts"
import { State, type Store } from "../state/State.ts"
import type { JobRow } from "./JobRow.ts"

const unmentioned = sqlText(new URL("./unmentionedLines.sql", import.meta.url))

/** Lines that a `replace` does not mention, a few at a time, in the order of their ids. */
export const unmentionedLines = (store: Store, { account_id: accountId, id: jobId }: JobRow, after: string) =>
  store.all<LineRow>(unmentioned, { accountId, jobId, after, most: limits.changesPerEvent })

/** The first refused row of which not even the product is known. */
export const unplacedRow = (store: Store, { id }: JobRow): number | undefined =>
  store.one<{ row: number }>("select row from unplaced_rows where job_id = :id", { id })?.row

/** `replace`: lines that the file does not mention are set to zero, unless a row may mean any of them. */
export const zeroUnmentioned = Effect.fnUntraced(function* (job: JobRow) {
  const { store, write } = yield* State
  if (unplacedRow(store, job) !== undefined) return
  const zeroSome = (after: string) =>
    write((tx) => {
      const lines = unmentionedLines(tx, job, after)
      const log = makeQuantityLog()
      for (const line of lines) setQuantity({ tx, log }, line, 0)
      log.emit(tx, job.account_id, "import")
      return Result.succeed(lines.at(-1)?.id)
    })
  let after: string | undefined = ""
  while (after !== undefined) {
    after = yield* zeroSome(after)
    yield* Effect.promise(() => setImmediate())
  }
})
