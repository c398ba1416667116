import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count } from "../../feed/contract/Catalogue.ts"
import { missing } from "../answers/refusals.ts"
import { State, type Store } from "../state/State.ts"

const Cell = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))

/** The tables of the state, without hashes of keys and secrets of webhooks. */
export const tableRoutes = HttpApiGroup.make("controlTables").add(
  route("GET", "tables", "/sandbox/tables", "The tables of the state, and how many rows each has", {
    success: Schema.Struct({ data: Schema.Array(Schema.Struct({ name: Schema.String, rows: Count })) })
  }),
  route(
    "GET",
    "table",
    "/sandbox/tables/:name",
    "A table of the state as it is kept, without hashes of keys and secrets of webhooks",
    { success: Schema.Struct({ columns: Schema.Array(Schema.String), rows: Schema.Array(Schema.Array(Cell)) }) }
  )
)

const shownRows = 100

const listNames = (store: Store): ReadonlyArray<string> =>
  store
    .all<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name"
    )
    .map(({ name }) => name)

const isSecret = (column: string): boolean => /secret|hash/.test(column)

/** Returns the visible columns of a table, its key first. */
const listColumns = (store: Store, name: string): ReadonlyArray<string> =>
  store
    .all<{ name: string }>("select name from pragma_table_info(:name) order by pk = 0, cid", { name })
    .map((column) => column.name)
    .filter((column) => !isSecret(column))

/** Returns the newest rows by key, in descending order. */
const listRows = (store: Store, name: string, columns: ReadonlyArray<string>) => {
  const selected = columns.map((column) => `"${column}"`).join(", ")
  const rows = store.all<Record<string, string | number | null>>(
    `select ${selected} from "${name}" order by 1 desc limit ${shownRows}`
  )
  return rows.map((row) => columns.map((column) => row[column] ?? null))
}

/** Returns every table with its row count. */
export const tableNames = (store: Store) =>
  listNames(store).map((name) => ({
    name,
    rows: store.one<{ rows: number }>(`select count(*) as rows from "${name}"`)?.rows ?? 0
  }))

/** The newest rows of a table. Fails with NOT_FOUND. */
export const tableRows = Effect.fnUntraced(function* (store: Store, name: string) {
  if (!listNames(store).includes(name)) return yield* missing(`No table ${name}`, { name })
  const columns = listColumns(store, name)
  return { columns, rows: listRows(store, name, columns) }
})

export const tableControl = controlHandlers(tableRoutes, (handlers) =>
  handlers
    .handle("tables", () => Effect.map(State, ({ store }) => ({ data: tableNames(store) })))
    .handle("table", ({ params: { name } }) => Effect.flatMap(State, ({ store }) => tableRows(store, name)))
)
