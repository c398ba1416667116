import cliProgress from "cli-progress"
import { amountOf } from "../../src/diff/amountOf.ts"
import { shownText } from "../../src/contract/shownText.ts"
import { barsBelow, keepBelow } from "../print/besideBars.ts"
import type { NightEvent, NightProgress } from "../../src/observe/NightProgress.ts"

/** Shows a night on standard error: a bar per game on a terminal, else a line per stage. `stop` restores the cursor. */
export const showNight = (
  stream: NodeJS.WriteStream
): { readonly onProgress: NightProgress; readonly stop: () => void } => (stream.isTTY ? bars(stream) : lines(stream))

/** Local time, not UTC: somebody is watching. */
const endText = (expectedEndAt: string | null): string =>
  expectedEndAt === null ? "" : `, ends at ${new Date(expectedEndAt).toTimeString().slice(0, 5)}`

const bars = (stream: NodeJS.WriteStream) => {
  const format = "{game} {bar} {stage} {pages} {rows}"
  const multi = keepBelow(
    new cliProgress.MultiBar(
      { ...barsBelow, stream, format, barsize: 24, clearOnComplete: false },
      cliProgress.Presets.shades_classic
    )
  )
  const games = new Map<string, cliProgress.SingleBar>()
  const barOf = (gameId: string) => {
    const bar =
      games.get(gameId) ??
      multi.create(1, 0, { game: shownText(gameId, 40).padEnd(20), stage: "", pages: "", rows: "" })
    games.set(gameId, bar)
    return bar
  }
  return {
    onProgress: (event: NightEvent) => {
      const bar = barOf(event.gameId)
      const rows = "records" in event ? amountOf(event.records, "row") : ""
      if (event.stage !== "reading") return bar.update({ stage: event.stage, pages: "", rows })
      bar.setTotal(event.pagesTotal ?? event.pagesDone)
      const pages =
        event.pagesTotal === null ? amountOf(event.pagesDone, "page") : `${event.pagesDone}/${event.pagesTotal} pages`
      bar.update(event.pagesDone, {
        stage: `reading ${event.kind}`,
        pages,
        rows: `${rows}${endText(event.expectedEndAt)}`
      })
    },
    stop: () => {
      multi.stop()
      stream.write("\n")
    }
  }
}

const lines = (stream: NodeJS.WriteStream) => {
  const stages = new Map<string, string>()
  return {
    onProgress: (event: NightEvent) => {
      const stage = event.stage === "reading" ? `reading ${event.kind}` : event.stage
      if (stages.get(event.gameId) === stage) return
      stages.set(event.gameId, stage)
      stream.write(`${shownText(event.gameId)}: ${stage}\n`)
    },
    stop: () => {}
  }
}
