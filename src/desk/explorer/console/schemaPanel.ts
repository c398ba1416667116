import { Effect } from "effect"
import { shownText } from "../../../feed/contract/shownText.ts"
import { lakeFiles } from "../../../store/lake/history/historyTables.ts"
import { html, type Html } from "../../pages/html.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import type { LakeView, Row } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

/** The maximum length of an address that programs and proxies commonly accept. */
export const maxAddressLength = 8000

/** The address of a query's result as a page or as a file. */
export const consoleAddress = (
  sql: string,
  file: "" | ".csv" | ".json" = "",
  more: Record<string, string> = {}
): string => `/console${file}?${new URLSearchParams({ ...more, sql })}`

/** True if the query fits into an address that can be shared. */
export const hasAddress = (sql: string): boolean => consoleAddress(sql).length <= maxAddressLength

const titles = { table: "Tables", view: "Views", macro: "Macros (with parameters)" } as const

/** The tables, views and macros of this lake, one per line with its columns. */
export const schemaPanel = Effect.fnUntraced(function* (lake: LakeView) {
  const known = Map.groupBy(yield* lake.kept("Read the tables of the lake", queryNamed("console/names")), ({ name }) =>
    String(name)
  )
  return html`<details class="schema" open>
    <summary>Tables, views and macros</summary>
    ${lakeFiles.map(([kind, files]) => {
      const there = files.filter(({ name }) => known.has(name))
      return html`<h2>${titles[kind]}</h2>
        <ul>
          ${there.map((file) => entry(file, kind === "macro", known.get(file.name) ?? []))}
        </ul>`
    })}
  </details>`
})

/** A name that a click inserts. There are a thousand of them, so that the indentation of their markup would count. */
const nameButton = (name: string, says: string): Html => {
  const title = shownText(says, 160)
  return html`<button type="button" data-insert="${name}" title="${title}">${name}</button> `
}

const entry = (file: TableFile, isMacro: boolean, rows: ReadonlyArray<Row>): Html => {
  const comments = new Map(file.columns.map(({ comment, name }) => [name, comment]))
  const columns = isMacro
    ? file.columns
        .filter(({ name, retired }) => retired === null && name !== "*")
        .map(({ name }) => ({ name, type: "" }))
    : rows.map((row) => ({ name: String(row["column"]), type: `${String(row["type"])}: ` }))
  return html`<li>
    <button type="button" data-insert="${isMacro ? `${file.name}()` : file.name}">${file.name}</button>
    ${shownText(file.comment, 120)}
    <details>
      <summary>${columns.length} columns</summary>
      ${file.takes !== "" && html`<p>Parameters: ${file.takes}</p>`}
      <p class="columns">${columns.map(({ name, type }) => nameButton(name, `${type}${comments.get(name) ?? ""}`))}</p>
      <p><a href="${consoleAddress(file.example)}">Example</a></p>
    </details>
  </li>`
}
