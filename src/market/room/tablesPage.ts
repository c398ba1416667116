import { Effect } from "effect"
import { html, currentPage } from "../../desk/pages/html.ts"
import { tableNames, tableRows } from "../control/tableControl.ts"
import { State } from "../state/State.ts"
import { live, rowsTable, type PageOf, readText } from "./RoomPage.ts"

/** Shows the tables of the state. */
export const tablesPage: PageOf = Effect.fnUntraced(function* (request) {
  const { store } = yield* State
  const name = readText(request, "name")
  const table = name === undefined ? undefined : yield* tableRows(store, name)
  const links = tableNames(store).map(
    (each) =>
      html`<a href="${request.path}?name=${each.name}" ${each.name === name && currentPage}
        >${each.name} ${each.rows}</a
      >`
  )
  return {
    title: "Tables",
    says: "Every table of the state as it is kept, its newest 100 rows, without hashes and secrets.",
    body: html`${live("tables", html`<p class="switch">${links}</p>`)}
    ${
      table !== undefined &&
      live("rows", rowsTable({ caption: name ?? "", heads: table.columns, rows: table.rows, empty: "It has no rows." }))
    }`
  }
})
