import type { DuckDBConnection } from "@duckdb/node-api"
import { Effect } from "effect"
import { queryNamed } from "../../src/desk/explorer/queryNamed.ts"
import { whyEmpty, whyParameters } from "../../src/desk/explorer/whyEmpty.ts"
import { lakeFiles } from "../../src/store/lake/history/historyTables.ts"
import type { Session } from "../../src/store/lake/duckdb/Lake.ts"
import { lakeStep } from "../../src/feed/reading/LakeError.ts"

/** The data that tables, views and macros need to have rows, as their files declare it. */
const neededData = new Map(lakeFiles.flatMap(([, files]) => files.map(({ name, needs }) => [name, needs] as const)))

/** A table function of a parsed query, as DuckDB serializes it. */
interface Call {
  readonly function: { readonly function_name: string; readonly children?: ReadonlyArray<{ readonly alias?: string }> }
}

/** Returns every object of this type in a parsed query, at any depth. */
const findNodes = (type: string, node: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  if (typeof node !== "object" || node === null) return []
  const inner = Object.values(node).flatMap((one) => findNodes(type, one))
  return "type" in node && node.type === type ? [node as Readonly<Record<string, unknown>>, ...inner] : inner
}

const parsed = async (connection: DuckDBConnection, sql: string): Promise<unknown> => {
  const reader = await connection.runAndReadAll("select json_serialize_sql($1::varchar)::varchar", [sql])
  return JSON.parse(String(reader.getRows()[0]?.[0]))
}

const parameters = new Set(["days", "min_price", "min_listings", "source_name", "since", "until", "with_history"])

const formatValue = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** Returns the arguments of a call of `movers`, evaluated by DuckDB. */
const evaluateArguments = async ({ connection }: Session, call: Call) => {
  await connection.run(queryNamed("movers/asked"))
  const given = (call.function.children ?? []).filter(
    ({ alias }) => alias === undefined || alias === "" || parameters.has(alias)
  )
  const { statements } = (await parsed(connection, "from asked_movers()")) as {
    readonly statements: ReadonlyArray<{ readonly node: object }>
  }
  const [statement] = statements
  const from_table = {
    ...call,
    function: { ...call.function, function_name: "asked_movers", schema: "", children: given }
  }
  const query = { error: false, statements: [{ ...statement, node: { ...statement?.node, from_table } }] }
  const reader = await connection.runAndReadAll("select json_deserialize_sql($1::json)", [JSON.stringify(query)])
  const [row] = (await connection.runAndReadAll(String(reader.getRows()[0]?.[0]))).getRowObjectsJson()
  return {
    days: Number(row?.["days"]),
    min_price: String(row?.["min_price"]),
    min_listings: Number(row?.["min_listings"]),
    source: formatValue(row?.["source"]),
    since: formatValue(row?.["since"]),
    until: formatValue(row?.["until"]),
    with_history: row?.["with_history"] === true
  }
}

const causes = async (session: Session, sql: string): Promise<ReadonlyArray<string>> => {
  const query = await parsed(session.connection, sql)
  const calls = findNodes("TABLE_FUNCTION", query) as ReadonlyArray<unknown> as ReadonlyArray<Call>
  const names = [
    ...calls.map((call) => call.function.function_name),
    ...findNodes("BASE_TABLE", query).map((table) => String(table["table_name"]))
  ].map((name) => name.toLowerCase())
  const needs = [...new Set(names.flatMap((name) => neededData.get(name) ?? []))]
  if (needs.length === 0) return []
  const [movers, another] = calls.filter((call) => call.function.function_name.toLowerCase() === "movers")
  // With two calls, the one that excluded the rows is unknown.
  if (another !== undefined) return []
  const given = movers === undefined ? {} : await evaluateArguments(session, movers)
  const why = await session.connection.runAndReadAll(whyEmpty, whyParameters({ needs, ...given }) as never)
  const all = why.getRowObjectsJson()
  const texts = new Set(
    findNodes("VALUE_CONSTANT", query).map(({ value }) => (value as { readonly value?: unknown }).value)
  )
  const named = all.filter((row) => texts.has(row["game_id"]))
  const rows = named.length === 0 ? all : named
  // If at least one game has the needed data, the query itself excludes the rows of games without it.
  if (rows.some(({ says }) => says === null)) return []
  const says = new Set(rows.map((row) => String(row["says"])))
  return says.size === 1
    ? [`No rows: ${[...says].join()}`]
    : rows.map((row) => `${String(row["game_id"])}: ${String(row["says"])}`)
}

/** Explains why a query has no rows, per game or once for all. Empty if the reason is not recognized. */
export const whyNoRows = (session: Session, sql: string) =>
  Effect.orElseSucceed(
    lakeStep("Find why there are no rows", () => causes(session, sql)),
    (): ReadonlyArray<string> => []
  )
