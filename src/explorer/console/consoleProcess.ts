// A program of its own, so that a query that does not end can be killed.
// Reads one request from standard input and prints the answer as lines.
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { setInterval } from "node:timers/promises"
import { availableBytes } from "../../lake/duckdb/memoryBound.ts"
import { lockedLake } from "./lockedLake.ts"
import { refusal } from "./onlyReads.ts"

/** What is asked: a query of the lake, each row as a list of texts or as a JSON object; `most` null = all rows. */
export interface ConsoleRequest {
  readonly lake: string
  readonly sql: string
  readonly shape: "texts" | "object"
  readonly most: number | null
}

/** Memory beyond DuckDB's own bound: a single value may be larger than it. */
const mostBytes = Math.min(1.5 * 2 ** 30, availableBytes / 2)

const answer = async ({ lake, most, shape, sql }: ConsoleRequest): Promise<void> => {
  const connection = await lockedLake(lake)
  const refused = await refusal(connection, sql)
  if (refused !== null) return print([line("refused", refused)])
  const prepared = await connection.prepare(sql)
  const names = Array.from({ length: prepared.columnCount }, (_, index) => prepared.columnName(index))
  await print([line("columns", names)])
  const result = await connection.stream(shaped(sql, names, shape))
  let left = most ?? Number.POSITIVE_INFINITY
  for await (const rows of result.yieldRows()) {
    await print(rows.slice(0, left).map((row) => line("row", shape === "object" ? row[0] : row)))
    left -= rows.length
    if (left <= 0) break
  }
  return print([line("end", null)])
}

/** Every value becomes text in DuckDB, which loses no digit. */
const shaped = (sql: string, names: ReadonlyArray<string>, shape: ConsoleRequest["shape"]): string => {
  const query = `(from (${sql.replace(/;\s*$/, "")}\n))`
  if (shape === "object") return `select to_json(rows)::varchar from ${query} as rows`
  const columns = names.map((_, index) => `c${index}`)
  return `select ${columns.map((name) => `${name}::varchar`).join(", ")} from ${query} as rows(${columns.join(", ")})`
}

const line = (kind: "refused" | "columns" | "row" | "end", value: unknown): string =>
  `${kind} ${JSON.stringify(value)}\n`

const print = async (lines: ReadonlyArray<string>): Promise<void> => {
  if (!process.stdout.write(lines.join(""))) await once(process.stdout, "drain")
}

const guard = async (): Promise<void> => {
  for await (const _ of setInterval(50, null, { ref: false })) {
    if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, "SIGKILL")
  }
}

void guard()
try {
  await answer(JSON.parse(await text(process.stdin)) as ConsoleRequest)
} catch (cause) {
  await print([line("refused", cause instanceof Error ? cause.message : String(cause))])
}
