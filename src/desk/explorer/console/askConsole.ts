import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Data, Effect, Semaphore, Stream } from "effect"
import { spreadsheetCell, spreadsheetHead, csvLine } from "../../../store/lake/duckdb/writeSpreadsheet.ts"
import { chartColumns, type ResultColumn } from "./chartColumns.ts"
import { type ConsoleRequest, smallerQuery, tooLarge } from "./consoleAnswer.ts"

/** The console rejected a query or stopped it. */
export class ConsoleRefused extends Data.TaggedError("ConsoleRefused")<{ readonly message: string }> {}

/** A line of the answer: facts, the columns, then one per row; a row is a list of texts, or a JSON object as text. */
type Line =
  | { readonly kind: "facts"; readonly value: string }
  /** More characters than were asked for: the rows that follow are left out. */
  | { readonly kind: "cut"; readonly value: null }
  | { readonly kind: "columns"; readonly value: ReadonlyArray<ResultColumn> }
  | { readonly kind: "row"; readonly value: ReadonlyArray<string | null> | string }

const program = fileURLToPath(new URL("consoleProcess.ts", import.meta.url))
/** Limits the queries that run concurrently, each in a separate process; others wait. */
const slots = Semaphore.makeUnsafe(2)

/**
 * Runs a query in a process that can access only the lake and has no environment variables; kills it after `seconds`.
 * Fails with {@link ConsoleRefused} if the query does more than read, is invalid, too large or too slow.
 */
const consoleLines = (request: ConsoleRequest, seconds: number): Stream.Stream<Line, ConsoleRefused> =>
  Stream.unwrap(
    Effect.gen(function* () {
      yield* slots.takeScoped(1)
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["--max-old-space-size=256", program], { env: {}, stdio: ["pipe", "pipe", "ignore"] })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(request))
      return readAnswer(child.stdout).pipe(
        Stream.interruptWhen(
          Effect.andThen(
            Effect.sleep(`${seconds} seconds`),
            new ConsoleRefused({
              message: `The query took longer than ${seconds} seconds and was stopped. ${smallerQuery}`
            })
          )
        )
      )
    })
  )

/** Parses the process's output into the lines of an answer. */
export const readAnswer = (printed: Readable): Stream.Stream<Line, ConsoleRefused> =>
  Stream.fromAsyncIterable(
    answered(createInterface({ input: printed, crlfDelay: Number.POSITIVE_INFINITY })),
    (cause) => new ConsoleRefused({ message: cause instanceof Error ? cause.message : String(cause) })
  )

const answered = async function* (lines: AsyncIterable<string>): AsyncGenerator<Line> {
  for await (const line of lines) {
    const kind = line.slice(0, line.indexOf(" "))
    const value: unknown = JSON.parse(line.slice(kind.length + 1))
    if (kind === "end") return
    if (kind === "refused") throw new Error(String(value))
    yield { kind, value } as Line
  }
  throw new Error(tooLarge)
}

type RunQuery = typeof consoleLines

/** The maximum number of rows that a page shows. */
export const rowsShown = 200
/** The maximum number of rows in a chart: a year of days with a line in each colour. */
export const rowsDrawn = 2500

export type ConsoleQuery = Pick<ConsoleRequest, "lake" | "own" | "sql">

const collect = Effect.fnUntraced(function* (
  of: ConsoleQuery & Pick<ConsoleRequest, "facts" | "most">,
  seconds: number,
  run: RunQuery
) {
  const lines = yield* Stream.runCollect(run({ ...of, shape: "texts" }, seconds))
  return {
    facts: lines.flatMap((line) => (line.kind === "facts" ? line.value : [])).join(),
    columns: lines.flatMap((line) => (line.kind === "columns" ? line.value : [])),
    rows: lines.flatMap((line) => (line.kind === "row" && typeof line.value === "object" ? [line.value] : [])),
    isCut: lines.some(({ kind }) => kind === "cut")
  }
})

/** Runs a query through `run`, limited to the rows that a page shows. */
export const askConsole = Effect.fn("askConsole")(function* (
  of: ConsoleQuery,
  seconds = 15,
  run: RunQuery = consoleLines
) {
  const most = { rows: rowsShown + 1, ofChart: rowsDrawn + 1 }
  const { columns, rows } = yield* collect({ ...of, most }, seconds, run)
  return {
    columns,
    rows: rows.slice(0, rowsShown),
    /** True if the result has more rows. */
    more: rows.length > rowsShown,
    /** All rows of a result that can be drawn as a chart; null = it cannot, or has too many rows. */
    drawn: chartColumns(columns) === null || rows.length > rowsDrawn ? null : rows
  }
})
/** The first rows of a query's result; every value is exact text, null = NULL. */
export type ConsoleAnswer = Effect.Success<ReturnType<typeof askConsole>>

/** The maximum number of characters in the rows of an answer with facts. */
export const charactersShown = 200_000

/** As {@link askConsole}, for a reader who pays for every character. `facts` are of the same lake file. */
export const askWithFacts = Effect.fn("askWithFacts")(function* (
  of: ConsoleQuery & { readonly facts: string },
  seconds = 15,
  run: RunQuery = consoleLines
) {
  const most = { rows: rowsShown + 1, ofChart: rowsShown + 1, characters: charactersShown }
  const { isCut, rows, ...answer } = yield* collect({ ...of, most }, seconds, run)
  return { ...answer, rows: rows.slice(0, rowsShown), isCut: isCut || rows.length > rowsShown }
})

/** CSV according to RFC 4180 (NULL is empty, empty text is `""`), CSV for a spreadsheet, or a JSON array of objects. */
export type DownloadFormat = "csv" | "spreadsheet" | "json"
const downloadSeconds = 120

/** Returns all rows of a query as a file; `run` runs the query. */
export const downloadConsole = (
  of: ConsoleQuery,
  format: DownloadFormat,
  run: RunQuery = consoleLines
): Stream.Stream<string, ConsoleRefused> => {
  if (format !== "json") {
    const cell = (text: string | null) => (text === null || format === "csv" ? text : spreadsheetCell(text))
    return Stream.map(run({ ...of, shape: "texts", most: null }, downloadSeconds), ({ kind, value }) =>
      kind === "columns"
        ? (format === "csv" ? csvLine : spreadsheetHead)(value.map(({ name }) => name))
        : csvLine(typeof value === "string" ? [value] : (value ?? []).map(cell))
    )
  }
  const objects = run({ ...of, shape: "object", most: null }, downloadSeconds).pipe(
    Stream.filter(({ kind }) => kind === "row"),
    Stream.zipWithIndex,
    Stream.map(([{ value }, index]) => `${index === 0 ? "" : ",\n"}${String(value)}`)
  )
  return Stream.make("[\n").pipe(Stream.concat(objects), Stream.concat(Stream.make("\n]\n")))
}
