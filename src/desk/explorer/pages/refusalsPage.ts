import { Effect } from "effect"
import { type PageRequest, readGame, type Page } from "../PageRequest.ts"
import { dataTable } from "../dataTable.ts"
import { html, pageHead } from "../../pages/html.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"

/** Records that the contract refused, and values of the feed that the contract does not know. */
export const refusalsPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const list = yield* listing(request, {
    caption: "Records that break the contract, with the invalid field. No other table has them",
    sql: queryNamed("refusals"),
    parameters: { game: gameId },
    columns: [
      { name: "list", label: "list", shape: "code" },
      { name: "record_id", label: "id", shape: "code", isWide: true },
      { name: "path", label: "field", shape: "code" },
      { name: "reason", label: "error", shape: "long" },
      { name: "page", label: "raw page", shape: "code", isWide: true },
      { name: "position", label: "position in page", shape: "count", isWide: true },
      {
        name: "record",
        label: "record",
        shows: (row) =>
          html`<details>
            <summary>show</summary>
            <code class="record">${String(row["record"])}</code>
          </details>`
      }
    ],
    order: "list",
    key: ["page", "position"],
    empty: "No refused records: the contract accepted every record of the last reading."
  })
  const words = yield* request.lake.rows("Read the drift", queryNamed("audit/drift"), { game: gameId })
  const body = html`${pageHead(name, "Refusals and drift", "As of the last reading.")}
    <h2>Refused records</h2>
    ${list}
    <h2>Drift</h2>
    ${
      words.length === 0
        ? html`<p class="empty">No drift: every key and value of the feed is in the contract.</p>`
        : dataTable("Keys and values that are not in the contract, stored unchanged", driftColumns, words)
    }`
  return { title: `${name}: refusals`, body } satisfies Page
})

const driftColumns = [
  { name: "kind", label: "kind" },
  { name: "place", label: "path", shape: "code" },
  { name: "word", label: "value", shape: "code" },
  { name: "records", label: "records", shape: "count" }
] as const
