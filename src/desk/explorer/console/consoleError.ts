import type { DuckDBConnection } from "@duckdb/node-api"

/** DuckDB's words for a fault, below them the line of the query and a caret under the place. */
const placed = /\nLINE (?<line>\d+): (?<text>.*)\n(?<blanks> *)\^/

/** The words with a query's own line number, where it was asked with lines before it, which nobody has to see. */
export const ownLine = (said: string, linesBefore: number): string => {
  const { blanks = "", line = "", text = "" } = placed.exec(said)?.groups ?? {}
  if (line === "" || linesBefore === 0) return said
  const own = Number(line) - linesBefore
  if (own < 1) return said.replace(placed, "").trimEnd()
  return said.replace(placed, () => `\nLINE ${own}: ${text}\n${blanks.slice(line.length - String(own).length)}^`)
}

/** DuckDB counts a tab as nothing when it places the caret: with blanks, it is where it should be. */
const withoutTabs = (sql: string): string => sql.replaceAll("\t", " ")

const saidBy = async (attempt: () => Promise<unknown>, otherwise: string): Promise<string> => {
  try {
    await attempt()
    return otherwise
  } catch (cause) {
    return cause instanceof Error ? cause.message : otherwise
  }
}

/** Why a query cannot be parsed, with the caret in place. Nothing of it is looked up. */
export const parseError = (connection: DuckDBConnection, sql: string, otherwise: string): Promise<string> =>
  saidBy(() => connection.extractStatements(withoutTabs(sql)), otherwise)

/** Why a query that may only read cannot be understood, with the caret in place. */
export const bindError = (connection: DuckDBConnection, sql: string, otherwise: string): Promise<string> =>
  sql.includes("\t") ? saidBy(() => connection.prepare(withoutTabs(sql)), otherwise) : Promise.resolve(otherwise)
