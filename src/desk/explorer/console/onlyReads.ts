import type { DuckDBConnection } from "@duckdb/node-api"

/** Table functions that read only the lake and reveal nothing of the machine. The lake's macros are allowed too. */
const harmless = new Set([
  "duckdb_columns",
  "duckdb_functions",
  "duckdb_schemas",
  "duckdb_tables",
  "duckdb_types",
  "duckdb_views",
  "generate_series",
  "json_each",
  "json_tree",
  "pragma_table_info",
  "range",
  "repeat",
  "unnest"
])

/** Statements as returned by DuckDB's parser. */
type Parsed =
  | { readonly error: true; readonly error_type: string; readonly error_message: string }
  | { readonly error: false; readonly statements: ReadonlyArray<unknown> }

/**
 * Returns why a query is refused; null if it only reads. DuckDB serializes only statements such as SELECT. Those can do
 * more than read only through table functions: `enable_logging` writes a file, `query` runs any text.
 * `mayReveal` is true if the caller owns the machine; then queries may show settings and file paths.
 */
export const refusal = async (
  connection: DuckDBConnection,
  sql: string,
  mayReveal: boolean
): Promise<string | null> => {
  const parsed = await serialized(connection, sql)
  if (parsed.error) {
    return parsed.error_type === "parser"
      ? await parseError(connection, sql, parsed.error_message)
      : "Only reading queries are allowed. Start with select, from, with, describe, show or summarize"
  }
  if (parsed.statements.length === 0) return "The query is empty"
  if (parsed.statements.length > 1) return `Enter one query, not ${parsed.statements.length}`
  const macros = await connection.runAndReadAll(
    "select distinct function_name from duckdb_functions() where function_type = 'table_macro' and not internal"
  )
  const ours = new Set(macros.getRows().map(([name]) => String(name)))
  const forbidden = called(parsed.statements).find(
    ({ isTable, name }) => (!mayReveal && revealing.test(name)) || (isTable && !harmless.has(name) && !ours.has(name))
  )
  return forbidden === undefined ? null : `A query can only read the lake, so it cannot call ${forbidden.name}()`
}

const serialized = async (connection: DuckDBConnection, sql: string) => {
  const reader = await connection.runAndReadAll(
    "select json_serialize_sql($1::varchar, skip_null := true, skip_empty := true)::varchar",
    [sql]
  )
  return JSON.parse(String(reader.getRows()[0]?.[0])) as Parsed
}

/** Views and functions of DuckDB that reveal file paths (a view's text contains them) or settings of the machine. */
const revealing =
  /^(?:pragma_database_list|duckdb_(?:databases|settings|secrets|logs?|temporary_files|variables|extensions|views|functions)|current_setting|getvariable|sqlite_(?:temp_)?(?:master|schema)|pg_(?:views|proc|settings|get_viewdef)|information_schema\.views)$/

/** Returns the functions that a parsed query calls: table functions, and those that reveal the machine. */
const called = (node: unknown): ReadonlyArray<{ readonly name: string; readonly isTable: boolean }> => {
  if (typeof node !== "object" || node === null) return []
  const inner = Object.values(node).flatMap(called)
  const { function_name, ...found } = node as {
    readonly type?: unknown
    readonly function?: { function_name?: unknown }
    readonly function_name?: unknown
    readonly schema_name?: unknown
    readonly table_name?: unknown
  }
  const isTable = found.type === "TABLE_FUNCTION"
  const table = String(found.table_name).toLowerCase()
  const view = table === "views" ? `${String(found.schema_name).toLowerCase()}.${table}` : table
  const named = isTable ? found.function?.function_name : function_name
  const name = found.type === "BASE_TABLE" ? view : String(named).toLowerCase()
  return isTable || revealing.test(name) ? [{ name, isTable }, ...inner] : inner
}

/** Matches the position in a DuckDB error: the line of the query, and below it a caret. */
const placed = /\nLINE (?<line>\d+): (?<text>.*)\n(?<blanks> *)\^/

/** Returns the error with line numbers of the visitor's query alone, without the lines that were put before it. */
export const ownLine = (message: string, linesBefore: number): string => {
  const { blanks = "", line = "", text = "" } = placed.exec(message)?.groups ?? {}
  if (line === "" || linesBefore === 0) return message
  const own = Number(line) - linesBefore
  if (own < 1) return message.replace(placed, "").trimEnd()
  return message.replace(placed, () => `\nLINE ${own}: ${text}\n${blanks.slice(line.length - String(own).length)}^`)
}

/** DuckDB counts a tab as zero columns when it places the caret, so tabs become spaces. */
const withoutTabs = (sql: string): string => sql.replaceAll("\t", " ")

const failureOf = async (attempt: () => Promise<unknown>, otherwise: string): Promise<string> => {
  try {
    await attempt()
    return otherwise
  } catch (cause) {
    return cause instanceof Error ? cause.message : otherwise
  }
}

/** Returns why a query cannot be parsed, with the caret at the right position. Does not resolve names. */
export const parseError = (connection: DuckDBConnection, sql: string, otherwise: string): Promise<string> =>
  failureOf(() => connection.extractStatements(withoutTabs(sql)), otherwise)

/** Returns why a read-only query cannot be bound, with the caret at the right position. */
export const bindError = (connection: DuckDBConnection, sql: string, otherwise: string): Promise<string> =>
  sql.includes("\t") ? failureOf(() => connection.prepare(withoutTabs(sql)), otherwise) : Promise.resolve(otherwise)
