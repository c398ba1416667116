import type cliProgress from "cli-progress"
import { amountOf } from "../../src/store/diff/amountOf.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { cutText, widthOf } from "../../src/night/observe/shortTexts.ts"
import { barLine, barOf, barRoom, growing } from "../print/barLine.ts"
import { lineBars } from "../print/lineBars.ts"
import { nightShare } from "./nightShare.ts"
import type { NightEvent, NightProgress } from "../../src/night/observe/NightProgress.ts"

/** Shows a night on standard error: a bar per game on a terminal, else a line per stage. `stop` restores the cursor. */
export const showNight = (
  stream: NodeJS.WriteStream,
  isPart = false
): { readonly onProgress: NightProgress; readonly stop: () => void } =>
  (stream.isTTY ? bars : lines)(stream, isPart ? wordOfPart : String)

/** What a stage is called. */
type Word = (stage: Exclude<NightEvent["stage"], "reading">) => string

/** A part of a night publishes nothing. */
const wordOfPart: Word = (stage) => (stage === "publishing" ? "storing" : stage === "published" ? "ready" : stage)

/** Local time, not UTC: somebody is watching. */
const endText = (expectedEndAt: string | null): string =>
  expectedEndAt === null ? "" : `, ends at ${new Date(expectedEndAt).toTimeString().slice(0, 5)}`

/** What a game's line says of its night. */
const textsOf = (event: NightEvent, word: Word): ReadonlyArray<string> => {
  const rows = "records" in event ? amountOf(event.records, "row") : ""
  if (event.stage !== "reading") return [word(event.stage), rows]
  const { expectedEndAt, kind, pagesDone, pagesTotal } = event
  const pages = pagesTotal === null ? amountOf(pagesDone, "page") : `${pagesDone}/${pagesTotal} pages`
  return [kind, pages, `${rows}${endText(expectedEndAt)}`]
}

const bars = (stream: NodeJS.WriteStream, word: Word) => {
  const multi = lineBars(stream)
  const games = new Map<string, { readonly bar: cliProgress.SingleBar; readonly grown: (share: number) => number }>()
  const gameOf = (gameId: string) => {
    const game = games.get(gameId) ?? { bar: multi.create(1, 0, { line: "" }), grown: growing() }
    games.set(gameId, game)
    return game
  }
  return {
    onProgress: (event: NightEvent) => {
      const { bar, grown } = gameOf(event.gameId)
      const room = barRoom(stream)
      const [ofName, ofBar] = room < 70 ? [12, 10] : [18, 16]
      const name = cutText(shownText(event.gameId), ofName)
      const head = `${name}${" ".repeat(Math.max(0, ofName - widthOf(name)))} ${barOf(grown(nightShare(event)), ofBar)}`
      bar.update(0, { line: barLine([head, ...textsOf(event, word)], room) })
    },
    stop: () => {
      multi.stop()
      stream.write("\n")
    }
  }
}

const lines = (stream: NodeJS.WriteStream, word: Word) => {
  const stages = new Map<string, string>()
  return {
    onProgress: (event: NightEvent) => {
      const stage = event.stage === "reading" ? `reading ${event.kind}` : word(event.stage)
      if (stages.get(event.gameId) === stage) return
      stages.set(event.gameId, stage)
      stream.write(`${shownText(event.gameId)}: ${stage}\n`)
    },
    stop: () => {}
  }
}
