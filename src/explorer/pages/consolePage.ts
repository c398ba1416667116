import { Effect } from "effect"
import { Home } from "../../home/Home.ts"
import type { PageRequest, Page } from "../PageRequest.ts"
import { askConsole, type ConsoleAnswer, type DownloadFormat } from "../console/askConsole.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { counted } from "../figures.ts"
import { exactly, html, type Html } from "../../pages/html.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { withoutHome } from "../withoutPaths.ts"

/** Questions to begin with. */
const examples = [
  [
    "Tables, views and macros",
    `select 'table' as kind, table_name as name, comment from duckdb_tables()
where database_name = current_database() and schema_name = 'main'
union all select 'view', view_name, comment from duckdb_views()
where database_name = current_database() and schema_name = 'main' and not internal
union all select 'macro', function_name || '(' || array_to_string(parameters, ', ') || ')', comment from duckdb_functions()
where database_name = current_database() and schema_name = 'main' and not internal
order by kind desc, name`
  ],
  ["Snapshots", "from snapshots order by game_id, snapshot desc"],
  ["Movers of two weeks", "from movers(days := 14, min_price := 5) limit 50"],
  [
    "Dearest cards",
    "select name, finish, source, market_value\nfrom source_prices join products using (game_id, product_id)\norder by market_value desc limit 50"
  ]
] as const

/** A visitor's query, run outside this server where it can only read, and its result as a table. */
export const consolePage = Effect.fnUntraced(function* (asked: PageRequest) {
  const sql = asked.form?.get("sql") ?? ""
  const home = yield* Home
  const answer = yield* sql.trim() === ""
    ? Effect.succeed(null)
    : askConsole(home.lake, sql).pipe(
        Effect.map((found) => result(sql, found)),
        Effect.catchTag("ConsoleRefused", ({ message }) =>
          Effect.succeed(html`<p class="empty removed" role="status">${withoutHome(message, home.root)}</p>`)
        )
      )
  const says = html`One query that reads the lake; it cannot touch files, the network or settings. Columns and examples:
    <code>cardlake describe</code>`
  const body = html`${pageHead("Console", "SQL console", says)}
    <form class="console" method="post" action="/console">
      <label for="sql">Query</label>
      <textarea
        id="sql"
        name="sql"
        rows="8"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        required
        aria-keyshortcuts="Control+Enter"
      >
${exactly(sql)}</textarea>
      <p><button>Run</button> <span class="says">or Ctrl+Enter</span></p>
    </form>
    ${answer ?? examplesList}`
  return { title: "SQL console", body } satisfies Page
})

const examplesList: Html = html`<h2>Queries to start from</h2>
  <ul class="examples">
    ${examples.map(
      ([title, sql]) =>
        html`<li>
          <form method="post" action="/console">
            <input type="hidden" name="sql" value="${sql}" /><button>${title}</button>
          </form>
        </li>`
    )}
  </ul>`

const isFigure = /^-?\d+(\.\d+)?$/

/** Columns of only figures are right-aligned, with every digit as in the lake. */
const columnOf = (label: string, index: number, { rows }: ConsoleAnswer): Column => {
  const values = rows.flatMap((row) => row[index] ?? [])
  const figures = values.length > 0 && values.every((value) => isFigure.test(value))
  return { name: String(index), label, shape: figures ? "exact" : "long" }
}

const result = (sql: string, answer: ConsoleAnswer): Html => {
  const { columns, more, rows } = answer
  const count = counted(rows.length)
  const says = more ? `The first ${count} rows` : `${count} ${rows.length === 1 ? "row" : "rows"}`
  const download = (format: DownloadFormat, label: string) =>
    html`<form method="post" action="/console/download">
      <input type="hidden" name="sql" value="${exactly(sql)}" /><input
        type="hidden"
        name="format"
        value="${format}"
      /><button>${label}</button>
    </form>`
  return html`<h2 id="result" role="status">${says}</h2>
    <div class="downloads">
      ${download("csv", "All rows as CSV")}${download("spreadsheet", "CSV for a spreadsheet")}${download("json", "All rows as JSON")}
    </div>
    ${
      rows.length === 0
        ? html`<p class="empty">The query has no rows. Its columns: ${columns.join(", ")}</p>`
        : dataTable(
            `Result: ${says}`,
            columns.map((label, index) => columnOf(label, index, answer)),
            rows.map((row) => Object.fromEntries(row.map((value, index) => [String(index), value])))
          )
    }`
}
