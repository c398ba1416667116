import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { ownSqlIfWhole } from "../../own/Own.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { exactly, html, type Html, pageHead } from "../../pages/html.ts"
import { askConsole, type ConsoleAnswer, rowsDrawn } from "../console/askConsole.ts"
import { chartColumns } from "../console/chartColumns.ts"
import { consoleAddress, hasAddress, maxAddressLength, schemaPanel } from "../console/schemaPanel.ts"
import { columnSummaries, resultCharts, resultTable } from "../console/resultViews.ts"
import { counted } from "../dataTable.ts"
import type { KnownGame, Page, PageRequest } from "../PageRequest.ts"
import { withoutHome } from "../withoutPaths.ts"

const examples = [
  ["Movers of two weeks", "from movers(days := 14, min_price := 5) limit 50"],
  [
    "Most expensive cards",
    "select game_id, product_id, name, finish, source, market_value, currency\nfrom source_prices join products using (game_id, product_id)\norder by market_value desc limit 50"
  ],
  [
    "Number of prices by game and day",
    "select extracted_at::date as day, game_id, max(prices) as prices\nfrom snapshots\ngroup by all order by day, game_id"
  ],
  ["Snapshots", "from snapshots order by game_id, snapshot desc"]
] as const

/**
 * Runs a visitor's query in a process that can only read; shows the result as a chart and a table. The address holds
 * the query. If an external link led here, the query runs only after a click on the button.
 */
export const consolePage = Effect.fnUntraced(function* (request: PageRequest) {
  const sql = request.form?.get("sql") ?? request.query.get("sql") ?? ""
  const hasQuery = sql.trim() !== ""
  const runs = hasQuery && (request.form !== null || request.isLedHere) && request.format === null
  const home = yield* Home
  const answer = yield* runs
    ? askConsole({ lake: home.lake, own: yield* ownSqlIfWhole, sql }).pipe(
        Effect.map((found) => result(sql, found, request.games)),
        Effect.catchTag("ConsoleRefused", ({ message }) =>
          Effect.succeed(
            html`<pre class="fault" role="alert" tabindex="0">
${withoutHome(message, home.root).replaceAll("\t", " ")}</pre>
              ${examplesList}`
          )
        )
      )
    : Effect.succeed(hasQuery ? waits : examplesList)
  const body = html`${pageHead("Console", "SQL console", says)}
    <div class="desk">
      <form class="console" action="/console">
        <label for="sql">Query</label>
        <textarea
          id="sql"
          name="sql"
          rows="10"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="off"
          required
          aria-keyshortcuts="Control+Enter"
        >
${exactly(sql)}</textarea>
        <p>
          <button>Run</button> <span class="says">or Ctrl+Enter.</span>
          <button class="quiet" formmethod="post">Run privately</button>
          <span class="says"
            >keeps the query out of the address and the browser history. Required above ${counted(maxAddressLength)}
            characters.</span
          >
        </p>
      </form>
      ${yield* schemaPanel(request.lake)}
    </div>
    ${answer}`
  const page = { title: "SQL console", body } satisfies Page
  // A query that has not run has no file.
  return hasQuery && request.format !== null ? ({ ...page, status: 403 } satisfies Page) : page
})

const says = html`Enter one read-only query. It cannot access files, the network or settings. You can share the address
of the result.`

const waits = html`<p class="note moves" role="status">
  This query comes from the address and has not run yet. Read it, then press Run.
</p>`

const examplesList: Html = html`<h2>Examples</h2>
  <ul class="examples">
    ${examples.map(([title, sql]) => html`<li><a class="button" href="${consoleAddress(sql)}">${title}</a></li>`)}
  </ul>`

const result = (sql: string, answer: ConsoleAnswer, games: ReadonlyArray<KnownGame>): Html => {
  const { columns, drawn, more, rows } = answer
  const count = counted(rows.length)
  const says = more ? `The first ${count} rows` : `${count} ${rows.length === 1 ? "row" : "rows"}`
  const charts = resultCharts(answer)
  return html`<h2 id="result" role="status">${says}</h2>
    ${hasAddress(sql) ? filesByAddress(sql) : filesByForm(sql)}
    ${
      charts.length > 0 &&
      html`<div class="charts">${charts.slice(0, chartsShown).map((chart) => chartFigure(chart))}</div>`
    }
    ${charts.length > chartsShown && html`<p class="says">The first ${chartsShown} of ${charts.length} charts.</p>`}
    ${drawn === null && chartColumns(columns) !== null && html`<p class="says">Charts are drawn for up to ${counted(rowsDrawn)} rows.</p>`}
    ${
      rows.length === 0
        ? html`<p class="empty">The query returned no rows. Columns: ${columns.map(({ name }) => name).join(", ")}</p>`
        : html`${resultTable(`Result: ${says}`, answer, games)}${columnSummaries(answer)}`
    }`
}

const chartsShown = 6

const filesByAddress = (sql: string): Html =>
  html`<p class="take">
    <a href="${consoleAddress(sql)}">Link to this result</a> <span>Download all rows:</span>
    <a href="${consoleAddress(sql, ".csv")}">CSV</a>
    <a href="${consoleAddress(sql, ".csv", { format: "spreadsheet" })}">CSV for a spreadsheet</a>
    <a href="${consoleAddress(sql, ".json")}">JSON</a>
  </p>`

const filesByForm = (sql: string): Html => {
  const download = (format: string, label: string) =>
    html`<form method="post" action="/console/download">
      <input type="hidden" name="sql" value="${exactly(sql)}" /><input
        type="hidden"
        name="format"
        value="${format}"
      /><button>${label}</button>
    </form>`
  return html`<p class="says">
      This query is too long for an address (max. ${counted(maxAddressLength)} characters). To share it, copy its text.
    </p>
    <div class="downloads">
      ${download("csv", "All rows as CSV")}${download("spreadsheet", "CSV for a spreadsheet")}${download("json", "All rows as JSON")}
    </div>`
}
