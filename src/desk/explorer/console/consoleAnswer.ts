import { dirname } from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import { memoryLacking } from "../../../feed/reading/LakeError.ts"
import { chartColumns } from "./chartColumns.ts"
import { withoutHome } from "../withoutPaths.ts"
import { bindError, ownLine, refusal } from "./onlyReads.ts"
import { consoleMemory, lockedLake } from "./lockToLake.ts"

/** A query of the lake that returns each row as a list of texts or as a JSON object. */
export interface ConsoleRequest {
  readonly lake: string
  /** SQL that opens the reader's cards; null = there are none. */
  readonly own: string | null
  readonly sql: string
  readonly shape: "texts" | "object"
  /**
   * The maximum number of rows, that of a result that can be drawn as a chart, and of characters in all rows (no
   * maximum: leave it out); null = unlimited.
   */
  readonly most: { readonly rows: number; readonly ofChart: number; readonly characters?: number } | null
  /**
   * A query of the program, answered first from the same lake file: its only value is text. Then lists and structures in
   * the rows are JSON. Default: none.
   */
  readonly facts?: string
}

/** The next step for a query that needs too much. Visitors of the console have no shell. */
export const smallerQuery = "Read fewer rows or days, or filter before a join"

/** The reason shown if DuckDB or its process ran out of memory. */
export const tooLarge = `The query needs more memory than the console has (${consoleMemory.memory_limit}) and was stopped. ${smallerQuery}`

/** Yields the answer as lines: why the query is refused, or its columns, its rows and an end mark. The facts come first. */
export const consoleAnswer = async function* (request: ConsoleRequest): AsyncGenerator<string> {
  const { lake, most, own, shape, sql } = request
  const home = dirname(lake)
  let [connection, linesBefore]: [DuckDBConnection | null, number] = [null, 0]
  try {
    connection = await lockedLake(lake, own)
    if (request.facts !== undefined) {
      yield line("facts", String((await connection.runAndReadAll(request.facts)).getRows()[0]?.[0]))
    }
    const refused = await refusal(connection, sql, false)
    if (refused !== null) return yield line("refused", refused)
    const prepared = await connection.prepare(sql)
    const columns = Array.from({ length: prepared.columnCount }, (_, index) => ({
      name: withoutHome(prepared.columnName(index), home),
      type: prepared.columnType(index).toString()
    }))
    yield line("columns", columns)
    linesBefore = 1
    const result = await connection.stream(shaped(request, columns))
    const bound = most === null || chartColumns(columns) === null ? most?.rows : most.ofChart
    let left = bound ?? Number.POSITIVE_INFINITY
    let characters = most?.characters ?? Number.POSITIVE_INFINITY
    for await (const rows of result.yieldRows()) {
      const fitting = rows.slice(0, left).filter((row) => {
        characters -= row.reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0)
        return characters >= 0
      })
      yield fitting
        .map((row) => row.map((text) => (typeof text === "string" ? withoutHome(text, home) : text)))
        .map((row) => line("row", shape === "object" ? row[0] : row))
        .join("")
      left -= rows.length
      if (characters < 0) yield line("cut", null)
      if (left <= 0 || characters < 0) break
    }
    yield line("end", null)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // DuckDB's message suggests settings that a visitor cannot change here.
    if (memoryLacking(reason) !== null) return yield line("refused", tooLarge)
    const placed = connection === null || linesBefore > 0 ? reason : await bindError(connection, sql, reason)
    yield line("refused", withoutHome(ownLine(placed, linesBefore), home))
  }
}

/** Casts every value to text in DuckDB, which keeps every digit. The query begins on the second line. */
const shaped = ({ facts, shape, sql }: ConsoleRequest, of: ReadonlyArray<{ readonly type: string }>): string => {
  const query = `(from (\n${sql.replace(/;\s*$/, "")}\n))`
  if (shape === "object") return `select to_json(rows)::varchar from ${query} as rows`
  const columns = of.map((_, index) => `c${index}`)
  const texts = of.map(({ type }, index) =>
    facts !== undefined && /\]$|^(STRUCT|MAP)\(/.test(type)
      ? `if(c${index} is null, null, to_json(c${index})::varchar)`
      : `c${index}::varchar`
  )
  return `select ${texts.join(", ")} from ${query} as rows(${columns.join(", ")})`
}

const line = (kind: "facts" | "refused" | "columns" | "row" | "cut" | "end", value: unknown): string =>
  `${kind} ${JSON.stringify(value)}\n`
