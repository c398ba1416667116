import { amountOf, grouped } from "../../src/store/diff/amountOf.ts"
import type { BackfillEvent, BackfillProgress } from "../../src/night/run/backfill/runBackfill.ts"
import { barLine, barOf, barRoom, growing } from "./barLine.ts"
import { lineBars } from "./lineBars.ts"

/** Without a terminal, a line as often as this: a backfill may take a week. */
const quietMillis = 600_000

/** Local time, not UTC: somebody is watching. The day, if it is not today. */
const endText = (expectedEndAt: string | null): string => {
  if (expectedEndAt === null) return ""
  const end = new Date(expectedEndAt)
  const time = end.toTimeString().slice(0, 5)
  if (end.toDateString() === new Date().toDateString()) return `, ends at ${time}`
  return `, ends on ${end.toLocaleDateString("en-CA")} at ${time}`
}

/** Shows a backfill on standard error: a bar on a terminal, else a line now and then. `stop` restores the cursor. */
export const showBackfill = (
  stream: NodeJS.WriteStream
): { readonly onProgress: BackfillProgress; readonly stop: () => void } => (stream.isTTY ? bar(stream) : lines(stream))

const bar = (stream: NodeJS.WriteStream) => {
  const multi = lineBars(stream)
  const shown = multi.create(1, 0, { line: "" })
  const grown = growing()
  return {
    onProgress: ({ done, expectedEndAt, rows, total }: BackfillEvent) => {
      const share = barOf(grown(done / Math.max(1, total)), 20)
      const asked = `${grouped(done)}/${grouped(total)} asked`
      const texts = [share, asked, `${amountOf(rows, "price")}${endText(expectedEndAt)}`]
      shown.update(0, { line: barLine(texts, barRoom(stream)) })
    },
    stop: () => {
      multi.stop()
      stream.write("\n")
    }
  }
}

const lines = (stream: NodeJS.WriteStream) => {
  let shownMillis = -Infinity
  return {
    onProgress: ({ done, expectedEndAt, rows, total }: BackfillEvent) => {
      const now = performance.now()
      if (now - shownMillis < quietMillis && done < total) return
      shownMillis = now
      stream.write(`${grouped(done)} of ${grouped(total)} asked, ${amountOf(rows, "price")}${endText(expectedEndAt)}\n`)
    },
    stop: () => {}
  }
}
