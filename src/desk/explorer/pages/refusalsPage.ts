import { Effect } from "effect"
import { type PageRequest, gameOf, type Page } from "../PageRequest.ts"
import { dataTable } from "../dataTable.ts"
import { html, pageHead } from "../../pages/html.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"

const refusals = queryNamed("refusals")
const drift = queryNamed("audit/drift")

/** Records that the contract refused, and values of the feed that the contract does not know. */
export const refusalsPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const list = yield* listing(asked, {
    caption: "Records that are in no other table, with the field at fault",
    sql: refusals,
    parameters: { game: gameId },
    columns: [
      { name: "list", label: "list", shape: "code" },
      { name: "record_id", label: "id", shape: "code", isWide: true },
      { name: "path", label: "field", shape: "code" },
      { name: "reason", label: "what is wrong", shape: "long" },
      { name: "page", label: "raw page", shape: "code", isWide: true },
      { name: "position", label: "position on it", shape: "count", isWide: true },
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
    empty: "None: the contract accepted every record of the last reading."
  })
  const words = yield* asked.lake.rows("Read the drift", drift, { game: gameId })
  const body = html`${pageHead(name, "Refusals and drift", "As of the last reading.")}
    <h2>Refused records</h2>
    ${list}
    <h2>Drift</h2>
    ${
      words.length === 0
        ? html`<p class="empty">None: the feed uses the keys and words of the contract.</p>`
        : dataTable("Keys and words that the contract does not know, stored as they came", driftColumns, words)
    }`
  return { title: `${name}: refusals`, body } satisfies Page
})

const driftColumns = [
  { name: "kind", label: "kind" },
  { name: "place", label: "where", shape: "code" },
  { name: "word", label: "word", shape: "code" },
  { name: "records", label: "records", shape: "count" }
] as const
