import { Socket } from "node:net"
import { Effect, Stream } from "effect"
import { shownLines } from "../src/feed/contract/shownText.ts"
import { readCurrent } from "../src/store/home/Home.ts"
import { outputFile } from "../src/store/home/OutputInHome.ts"
import { noLake, GameNotInLake } from "../src/store/lake/publish/openLake.ts"
import { lastLine, type Restart, streamChanges, writeChanges } from "../src/store/lake/sequence/streamChanges.ts"
import type { Position } from "../src/store/lake/sequence/publications.ts"
import { findBucket, inLake, readNeeds } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printFault, printJson, Stopped, wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"

type Flags = typeof specs.changes.Input

const usageFault = ({ follow, format, output }: Flags): string | null => {
  if (format !== "ndjson" && output === null) return `--format ${format} writes a file. Add --output FILE`
  return follow && output !== null ? "--follow prints to standard output. Leave out --output" : null
}

/** Prints where to begin again, and why. */
const printRestart = Effect.fnUntraced(function* ({ run, sequence, tables, why }: Restart) {
  yield* printJson({ restart: { sequence, run, tables } })
  yield* printFault(
    `${why}. Load the tables whole, then run: cardlake changes --since ${sequence}${run === null ? "" : ` --run ${run}`}`
  )
  return yield* new Stopped({ code: 3 })
})

/** Prints lines. Ends the command if the reader has closed the pipe, as in `| head`. */
const printLines = <E, R>(lines: Stream.Stream<Uint8Array, E, R>) =>
  Stream.runForEach(
    process.stdout.isTTY ? Stream.map(Stream.decodeText(lines), (text) => shownLines(text)) : lines,
    (piece: string | Uint8Array) =>
      Effect.tryPromise({
        try: () =>
          new Promise<void>((resolve, reject) => {
            process.stdout.write(piece, (cause) => (cause == null ? resolve() : reject(cause)))
          }),
        catch: () => new Stopped({ code: 0 })
      })
  )

/** How often the last line is repeated to a pipe: only a write shows that its reader has closed it. */
const pulseSeconds = 5
const isPipe = process.stdout instanceof Socket && !process.stdout.isTTY

/** Prints what every publication since a number changed. */
export const changes = Effect.fnUntraced(function* (flags: Flags) {
  const fault = usageFault(flags)
  if (fault !== null) return yield* wrongUsage(fault)
  const { follow, format, games, home, output } = flags
  if (output !== null) yield* outputFile(output)
  const wanted = games === null ? [] : games.split(",")
  const printSince = Effect.fnUntraced(function* ({ run, sequence: since }: Position, isAgain: boolean) {
    const { games: there, history } = yield* readCurrent
    if (history.length === 0) return yield* noLake
    const known = Object.keys(there)
    const unknown = wanted.filter((gameId) => !known.includes(gameId))
    if (unknown.length > 0) return yield* new GameNotInLake({ wanted: unknown, games: known })
    const found = yield* streamChanges({ since, run: run ?? undefined, games: wanted })
    if (found._tag === "Restart") return yield* printRestart(found)
    if (isAgain && found.newest.sequence === since) return found.newest
    if (output === null) yield* printLines(Stream.concat(found.entries, found.end))
    else {
      yield* writeChanges(found, { file: output, format })
      yield* printJson({ next: found.newest.sequence, run: found.newest.run })
    }
    return found.newest
  }, Effect.scoped)
  let position: Position = { sequence: flags.since, run: flags.run }
  const once = (isAgain: boolean) =>
    Effect.map(
      inLake({ home }, readNeeds("recent"), () => printSince(position, isAgain)),
      (newest) => (position = newest)
    )
  yield* once(false)
  if (!follow) return
  const everySeconds = (yield* findBucket(toSettings({ home }))) === null ? 1 : 60
  for (let second = 1; ; second++) {
    yield* Effect.sleep("1 second")
    if (second % everySeconds === 0) yield* once(true)
    if (isPipe && second % pulseSeconds === 0) yield* printLines(Stream.make(lastLine(position)))
  }
})
