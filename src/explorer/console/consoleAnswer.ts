import { memoryLacking } from "../../home/LakeError.ts"
import { consoleMemory, lockedLake } from "./lockedLake.ts"
import { refusal } from "./onlyReads.ts"

/** The request: a query of the lake, each row as a list of texts or as a JSON object; `most` null = all rows. */
export interface ConsoleRequest {
  readonly lake: string
  readonly sql: string
  readonly shape: "texts" | "object"
  readonly most: number | null
}

/** Why a query was stopped that DuckDB, or its process, had no memory for. */
export const tooLarge = `The query needs more memory than the console has (${consoleMemory.memory_limit}) and was stopped. Ask for less at once, or where a query may use half of the memory: cardlake query`

/** The answer as lines: why the query is refused, or its columns, its rows and an end mark. */
export const consoleAnswer = async function* ({ lake, most, shape, sql }: ConsoleRequest): AsyncGenerator<string> {
  try {
    const connection = await lockedLake(lake)
    const refused = await refusal(connection, sql)
    if (refused !== null) return yield line("refused", refused)
    const prepared = await connection.prepare(sql)
    const names = Array.from({ length: prepared.columnCount }, (_, index) => prepared.columnName(index))
    yield line("columns", names)
    const result = await connection.stream(shaped(sql, names, shape))
    let left = most ?? Number.POSITIVE_INFINITY
    for await (const rows of result.yieldRows()) {
      yield rows
        .slice(0, left)
        .map((row) => line("row", shape === "object" ? row[0] : row))
        .join("")
      left -= rows.length
      if (left <= 0) break
    }
    yield line("end", null)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    // DuckDB advises settings that nobody can change here.
    yield line("refused", memoryLacking(said) === null ? said : tooLarge)
  }
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
