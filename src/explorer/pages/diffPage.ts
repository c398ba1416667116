import { Effect } from "effect"
import { kindsChart, movesChart } from "../../notes/noteCharts.ts"
import { changelogSentence, identitiesSentence } from "../../notes/noteWords.ts"
import type { Difference } from "../../notes/ReleaseNotes.ts"
import {
  addressWith,
  type PageRequest,
  choiceOf,
  expansionAddress,
  gameOf,
  type Page,
  productAddress
} from "../PageRequest.ts"
import { chosenPair, type Comparable, comparableSnapshots } from "../chosenSnapshots.ts"
import type { Column } from "../dataTable.ts"
import { counted } from "../figures.ts"
import { chooseForm, type Field } from "../../pages/chooseForm.ts"
import { html, type Html, ownMarkup } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"

const changes = queryNamed("diff_changes")
const claims = queryNamed("diff_claims")

/** What differs between any two snapshots of a game, and whether the changelog says the same. */
export const diffPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const known = yield* comparableSnapshots(asked, gameId)
  const head = pageHead(
    name,
    "Differences",
    "Between any two snapshots, field by field, checked against the changelog."
  )
  const title = `${name}: differences`
  if (known.length < 2) {
    const empty = html`<p class="empty">
      The home holds ${counted(known.length)} ${known.length === 1 ? "snapshot" : "snapshots"} of ${name}; a difference
      needs two. The next deployment that <code>cardlake nightly</code> reads makes one.
    </p>`
    return { title, body: html`${head}${empty}` } satisfies Page
  }
  const pair = yield* chosenPair(asked, known)
  const show = yield* choiceOf(asked, "show", ["changes", "claims"])
  const { rows, told } = yield* asked.differences.difference({ gameId, ...pair })
  const shown = yield* show === "changes" ? changeList(asked, gameId, rows) : claimList(asked, gameId, rows)
  const form = chooseForm(asked.path, [...pairFields(known, pair), ...shown.fields], show === "changes" ? {} : { show })
  const choice = html`<nav class="switch" aria-label="What is listed">
    ${(["changes", "claims"] as const).map(
      (one) =>
        html`<a
          href="${addressWith(asked, { show: one === "changes" ? null : one, sort: null, page: null })}"
          ${one === show && html` aria-current="true"`}
          >${one === "changes" ? "Changes" : "Changelog"}</a
        >`
    )}
  </nav>`
  return { title, body: html`${head}${form}${summary(told)}${choice}${shown.list}` } satisfies Page
})

const pairFields = (
  known: ReadonlyArray<Comparable>,
  pair: { readonly from: string; readonly to: string }
): ReadonlyArray<Field> => {
  const options = known.map(({ label, snapshot }) => [snapshot, label] as const)
  return [
    { kind: "choice", name: "from", label: "from", value: pair.from, options },
    { kind: "choice", name: "to", label: "to", value: pair.to, options }
  ]
}

/** A number of products, and of expansions besides. */
interface Tile {
  readonly tone: string
  readonly label: string
  readonly count: number
  readonly also: number
}

const summary = (told: Difference): Html => {
  const { expansions, products } = told.changes
  const tile = ({ also, count, label, tone }: Tile) =>
    html`<li class="${tone}">
      <span>${label}</span><b>${counted(count)}</b
      ><small>${counted(also)} ${also === 1 ? "expansion" : "expansions"}</small>
    </li>`
  const tiles: ReadonlyArray<Tile> = [
    { tone: "added", label: "Products added", count: products.added, also: expansions.added },
    { tone: "removed", label: "Products removed", count: products.removed, also: expansions.removed },
    {
      tone: "edited",
      label: "Products edited",
      count: products.modifiedCatalogue,
      also: expansions.modifiedCatalogue
    }
  ]
  const moved = told.moveSizes.some(({ moves }) => moves > 0)
  return html`<ul class="tiles">
      ${tiles.map(tile)}
      <li class="moves">
        <span>Products repriced</span><b>${counted(products.modifiedPrice)}</b><small>any price figure</small>
      </li>
    </ul>
    <p class="says">${identitiesSentence(told)} ${changelogSentence(told)}.</p>
    <div class="charts">
      <figure>
        <figcaption><b>Changes by kind</b> <span>products and expansions</span></figcaption>
        ${ownMarkup(kindsChart(told))}
      </figure>
      ${
        moved &&
        html`<figure>
          <figcaption>
            <b>Moves of market value</b>
            <span>of ${told.bounds.minPrice} or more, by percent; strong from ${told.bounds.minMove} %</span>
          </figcaption>
          ${ownMarkup(movesChart(told))}
        </figure>`
      }
    </div>`
}

const options = (...words: ReadonlyArray<string>) => words.map((word) => [word, word] as const)

const changeList = Effect.fnUntraced(function* (asked: PageRequest, gameId: string, rows: PageRequest["lake"]["rows"]) {
  const entity = yield* choiceOf(asked, "entity", ["all", "product", "expansion"])
  const kind = yield* choiceOf(asked, "class", ["catalogue", "price", "all"])
  const change = yield* choiceOf(asked, "change", ["all", "added", "removed", "modified"])
  const field = (asked.query.get("field") ?? "").trim()
  const list = yield* listing(
    asked,
    {
      caption: "Changes, one row per field",
      sql: changes,
      parameters: { entity, class: kind, change, field },
      columns: [
        { name: "name", label: "name", link: (row) => address(gameId, row["entity"], row["id"]) },
        { name: "entity", label: "of" },
        { name: "change", label: "change" },
        { name: "field", label: "field", shape: "code" },
        { name: "old", label: "old", sortedBy: figuresFirst("old"), shape: "long", shows: ofField("old") },
        { name: "new", label: "new", sortedBy: figuresFirst("new"), shape: "long", shows: ofField("new") }
      ],
      order: "name",
      key: ["entity", "id", "field"],
      empty: "No difference matches. Remove a filter, or compare other snapshots."
    },
    rows
  )
  const fields: ReadonlyArray<Field> = [
    { kind: "choice", name: "entity", label: "of", value: entity, options: options("all", "product", "expansion") },
    { kind: "choice", name: "class", label: "class", value: kind, options: options("catalogue", "price", "all") },
    {
      kind: "choice",
      name: "change",
      label: "change",
      value: change,
      options: options("all", "added", "removed", "modified")
    },
    { kind: "text", name: "field", label: "field", value: field, hint: "such as name or low" }
  ]
  return { fields, list }
})

/** Prices and other figures by their size, then texts. */
const figuresFirst = (side: "old" | "new") => [`try_cast(${side} as decimal(38, 6))`, side]

/** An item that was added or removed has its name there, and is shown first. */
const ofField = (side: "old" | "new") => (row: Row) => (row["field"] === null ? "" : String(row[side] ?? ""))

const claimList = Effect.fnUntraced(function* (asked: PageRequest, gameId: string, rows: PageRequest["lake"]["rows"]) {
  const entity = yield* choiceOf(asked, "entity", ["all", "product", "expansion"])
  const statuses = ["all", "confirmed", "claimed_not_seen", "seen_not_claimed"] as const
  const status = yield* choiceOf(asked, "status", statuses)
  const list = yield* listing(
    asked,
    {
      caption: "The changelog’s claims against what was computed",
      sql: claims,
      parameters: { entity, status },
      columns: claimColumns(gameId),
      order: "status",
      key: ["entity", "slug", "item_id"],
      empty: "No claim matches, and nothing that was seen does. Remove a filter, or compare other snapshots."
    },
    rows
  )
  const fields: ReadonlyArray<Field> = [
    { kind: "choice", name: "entity", label: "of", value: entity, options: options("all", "product", "expansion") },
    { kind: "choice", name: "status", label: "status", value: status, options: options(...statuses) }
  ]
  return { fields, list }
})

const address = (gameId: string, entity: Row[string] | undefined, id: Row[string] | undefined): string | null => {
  if (id === null) return null
  return entity === "product" ? productAddress(gameId, id) : expansionAddress(gameId, id)
}

const claimColumns = (gameId: string): ReadonlyArray<Column> => [
  { name: "slug", label: "slug", shape: "code", link: (row) => address(gameId, row["entity"], row["item_id"]) },
  { name: "entity", label: "of" },
  { name: "claimed", label: "claimed" },
  { name: "seen", label: "seen" },
  { name: "status", label: "status", shape: "code" },
  { name: "explanation", label: "explanation" },
  { name: "deployment_id", label: "deployment", shape: "code" }
]
