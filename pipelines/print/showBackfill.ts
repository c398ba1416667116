import cliProgress from "cli-progress"
import { amountOf, grouped } from "../../src/diff/amountOf.ts"
import type { BackfillEvent, BackfillProgress } from "../../src/run/backfill/BackfillProgress.ts"
import { barsBelow, keepBelow } from "./besideBars.ts"

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
  const format = "{bar} {asked} {rows}"
  const multi = keepBelow(
    new cliProgress.MultiBar(
      { ...barsBelow, stream, format, barsize: 24, clearOnComplete: false },
      cliProgress.Presets.shades_classic
    )
  )
  const shown = multi.create(1, 0, { asked: "", rows: "" })
  return {
    onProgress: ({ done, expectedEndAt, rows, total }: BackfillEvent) => {
      shown.setTotal(Math.max(1, total))
      shown.update(done, {
        asked: `${grouped(done)}/${grouped(total)} asked`,
        rows: `${amountOf(rows, "price")}${endText(expectedEndAt)}`
      })
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
