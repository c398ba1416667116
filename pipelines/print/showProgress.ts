import cliProgress from "cli-progress"
import { formatAmount, grouped } from "../../src/store/diff/formatAmount.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { cutText, measureText } from "../../src/night/observe/shortTexts.ts"
import { barLine, drawBar, barRoom, neverDecreasing, barsBelow, keepBelow, stamp } from "./standardError.ts"
import type { NightEvent, NightProgress } from "../../src/night/observe/watchGame.ts"
import type { BackfillEvent, BackfillProgress } from "../../src/night/run/backfill/runBackfill.ts"

/** Begin and end of each stage as a share of a game's night, by duration. */
const stages: Readonly<Record<string, readonly [from: number, to: number]>> = {
  games: [0, 0],
  changelog: [0, 0.02],
  expansions: [0.02, 0.05],
  products: [0.05, 0.85],
  feedExpansions: [0, 0.02],
  catalog: [0.02, 0.4],
  prices: [0.4, 0.85],
  loading: [0.85, 0.93],
  comparing: [0.93, 0.97],
  publishing: [0.97, 1]
}

/** Returns the completed share of a game's night. It decreases if a list is read again, so displays keep the max. */
export const nightShare = (event: NightEvent): number => {
  const name = event.stage === "reading" ? event.kind : event.stage
  const [from, to] = stages[name] ?? [1, 1]
  if (event.stage !== "reading" || event.pagesTotal === null || event.pagesTotal === 0) return from
  return from + ((to - from) * Math.min(event.pagesDone, event.pagesTotal)) / event.pagesTotal
}

/** A progress display. `stop` restores the cursor. */
interface Shown<Progress> {
  readonly onProgress: Progress
  readonly stop: () => void
}

/** Bars with a text from `create(1, 0, { line })`. They remain visible after they end. */
const lineBars = (stream: NodeJS.WriteStream) => {
  const multi = keepBelow(
    new cliProgress.MultiBar({
      ...barsBelow,
      stream,
      clearOnComplete: false,
      format: (_options, _params, { line }: { readonly line: string }) => line
    })
  )
  const stop = () => {
    multi.stop()
    stream.write("\n")
  }
  return { create: () => multi.create(1, 0, { line: "" }), stop }
}

/** Shows a night on standard error: a bar per game on a terminal, else a line per stage. */
export const showNight = (stream: NodeJS.WriteStream, isPart = false): Shown<NightProgress> =>
  (stream.isTTY ? nightBars : nightLines)(stream, isPart ? wordOfPart : String)

type Word = (stage: Exclude<NightEvent["stage"], "reading">) => string

/** Names a stage of a part, which publishes nothing. */
const wordOfPart: Word = (stage) => (stage === "publishing" ? "storing" : stage === "published" ? "ready" : stage)

/** Formats the expected end in local time, for people who watch. */
const endText = (expectedEndAt: string | null): string =>
  expectedEndAt === null ? "" : `, ends at ${new Date(expectedEndAt).toTimeString().slice(0, 5)}`

const formatGame = (event: NightEvent, word: Word): ReadonlyArray<string> => {
  const rows = "records" in event ? formatAmount(event.records, "row") : ""
  if (event.stage !== "reading") return [word(event.stage), rows]
  const { expectedEndAt, kind, pagesDone, pagesTotal } = event
  const pages = pagesTotal === null ? formatAmount(pagesDone, "page") : `${pagesDone}/${pagesTotal} pages`
  return [kind, pages, `${rows}${endText(expectedEndAt)}`]
}

const nightBars = (stream: NodeJS.WriteStream, word: Word): Shown<NightProgress> => {
  const { create, stop } = lineBars(stream)
  const games = new Map<string, { readonly bar: cliProgress.SingleBar; readonly grown: (share: number) => number }>()
  const ensureGame = (gameId: string) => {
    const game = games.get(gameId) ?? { bar: create(), grown: neverDecreasing() }
    games.set(gameId, game)
    return game
  }
  const onProgress = (event: NightEvent) => {
    const { bar, grown } = ensureGame(event.gameId)
    const room = barRoom(stream)
    const [ofName, ofBar] = room < 70 ? [12, 10] : [18, 16]
    const name = cutText(shownText(event.gameId), ofName)
    const head = `${name}${" ".repeat(Math.max(0, ofName - measureText(name)))} ${drawBar(grown(nightShare(event)), ofBar)}`
    bar.update(0, { line: barLine([head, ...formatGame(event, word)], room) })
  }
  return { onProgress, stop }
}

/** Interval of lines about a stage that takes long. */
const minuteMillis = 60_000

const nightLines = (stream: NodeJS.WriteStream, word: Word): Shown<NightProgress> => {
  const stages = new Map<string, string>()
  let shownMillis = performance.now()
  const onProgress = (event: NightEvent) => {
    const stage = event.stage === "reading" ? `reading ${event.kind}` : word(event.stage)
    const isNew = stages.get(event.gameId) !== stage
    if (!isNew && performance.now() - shownMillis < minuteMillis) return
    shownMillis = performance.now()
    stages.set(event.gameId, stage)
    const [, ...figures] = formatGame(event, word)
    const texts = [stage, ...(isNew ? [] : figures.filter((text) => text !== ""))]
    stream.write(`${stamp()} ${shownText(event.gameId)}: ${texts.join(", ")}\n`)
  }
  return { onProgress, stop: () => {} }
}

/** Interval of progress lines without a terminal: a backfill may run for a week. */
const quietMillis = 600_000

/** Formats the expected end, with the day unless it is today. */
const endOfDays = (expectedEndAt: string | null): string => {
  const end = expectedEndAt === null ? new Date() : new Date(expectedEndAt)
  if (end.toDateString() === new Date().toDateString()) return endText(expectedEndAt)
  return `, ends on ${end.toLocaleDateString("en-CA")} at ${end.toTimeString().slice(0, 5)}`
}

/** Shows a backfill on standard error: a bar on a terminal, else periodic lines. */
export const showBackfill = (stream: NodeJS.WriteStream): Shown<BackfillProgress> =>
  (stream.isTTY ? backfillBar : backfillLines)(stream)

const backfillBar = (stream: NodeJS.WriteStream): Shown<BackfillProgress> => {
  const { create, stop } = lineBars(stream)
  const shown = create()
  const grown = neverDecreasing()
  const onProgress = ({ done, expectedEndAt, rows, total }: BackfillEvent) => {
    const share = drawBar(grown(done / Math.max(1, total)), 20)
    const requested = `${grouped(done)}/${grouped(total)} requested`
    const texts = [share, requested, `${formatAmount(rows, "price")}${endOfDays(expectedEndAt)}`]
    shown.update(0, { line: barLine(texts, barRoom(stream)) })
  }
  return { onProgress, stop }
}

const backfillLines = (stream: NodeJS.WriteStream): Shown<BackfillProgress> => {
  let shownMillis = -Infinity
  const onProgress = ({ done, expectedEndAt, rows, total }: BackfillEvent) => {
    const now = performance.now()
    if (now - shownMillis < quietMillis && done < total) return
    shownMillis = now
    stream.write(
      `${grouped(done)} of ${grouped(total)} requested, ${formatAmount(rows, "price")}${endOfDays(expectedEndAt)}\n`
    )
  }
  return { onProgress, stop: () => {} }
}
