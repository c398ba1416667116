import { Effect } from "effect"
import { Home } from "../../home/Home.ts"
import { readOwn } from "../../own/Own.ts"
import { ownSql } from "../../own/ownSql.ts"
import { html, type Html } from "../../pages/html.ts"
import { chartFigure } from "../../pages/charts/chartFigure.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { command } from "../command.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { day, price } from "../figures.ts"
import { listing } from "../listing.ts"
import { addressWith, choiceOf, expansionAddress, type Page, type PageRequest, productAddress } from "../PageRequest.ts"
import { priceCharts } from "../priceCharts.ts"
import { productCell } from "../productCell.ts"
import { queryNamed } from "../queryNamed.ts"

const cards = queryNamed("own/cards")
const series = queryNamed("own/series")
const movers = queryNamed("own/movers")
const sets = queryNamed("own/sets")

const currencies = ["EUR", "USD"] as const

/** The reader's own cards: what they are worth and were, what moved among them, which could not be matched. */
export const ownPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { collections } = yield* readOwn
  const open = yield* ownSql
  if (open === null) return { title: "My cards", body: none((yield* Home).root) } satisfies Page
  const names = collections.map(({ name }) => name)
  const wanted = asked.query.get("collection")
  const collection = names.find((name) => name === wanted) ?? null
  const currency = yield* choiceOf(asked, "currency", currencies)
  const rowsOf = yield* asked.lake.beside
  yield* rowsOf("Open your own cards", open)
  const list = yield* listing(
    asked,
    {
      caption: `Cards, in ${currency}`,
      sql: cards,
      parameters: { collection, currency },
      columns: cardColumns,
      order: "value",
      down: true,
      key: ["collection", "row"],
      empty: "Nothing is in it."
    },
    rowsOf
  )
  const totals = yield* rowsOf("Add up the collections", queryNamed("own/totals"), { collection, currency })
  const values = yield* rowsOf("Read the worth of every day", series, { collection, currency })
  const moved = yield* rowsOf("List what moved", `from (${movers}) order by abs(change_of_all) desc limit 10`, {
    collection
  })
  const ofSets = yield* rowsOf("List the sets", sets, { collection })
  const body = html`${pageHead("Cardlake", "My cards", "Only this page and your own queries have them: nothing that leaves the home does.")}
    ${choices(asked, names, { collection, currency })}
    <h2>Worth</h2>
    ${dataTable("What each collection is worth", totalColumns, totals)}
    <div class="charts" id="chart">
      ${priceCharts(values, new Map(), { from: null }).map((chart) => chartFigure(chart))}
    </div>
    <h2>What moved in seven days</h2>
    ${moved.length === 0 ? html`<p class="empty">No price of them moved.</p>` : dataTable("Moves of market value, the greatest sums first", moverColumns, moved)}
    <h2>Sets</h2>
    ${dataTable("Sets that I have most of", setColumns, ofSets)}
    <p class="says">What I lack of one: <code>from collection_missing(305)</code></p>
    <h2>Cards</h2>
    ${list}`
  return { title: "My cards", body } satisfies Page
})

const none = (root: string): Html =>
  html`${pageHead("Cardlake", "My cards")}
    <p class="empty">
      Nothing was imported yet. Take the export of ManaBox, Moxfield, Archidekt, Deckbox, Dragon Shield, TCGplayer,
      Cardmarket, Collectr or another tool:
    </p>
    ${command(root, "collection", "import", "FILE")}`

const choices = (
  asked: PageRequest,
  names: ReadonlyArray<string>,
  { collection, currency }: { readonly collection: string | null; readonly currency: string }
): Html =>
  html`${
      names.length > 1 &&
      html`<nav class="switch" aria-label="Collections">
        <a
          href="${addressWith(asked, { collection: null, page: null })}"
          ${collection === null && html` aria-current="true"`}
          >All</a
        >
        ${names.map(
          (name) =>
            html`<a
              href="${addressWith(asked, { collection: name, page: null })}"
              ${name === collection && html` aria-current="true"`}
              >${name}</a
            >`
        )}
      </nav>`
    }
    <nav class="switch" aria-label="Currency">
      ${currencies.map(
        (one) =>
          html`<a
            href="${addressWith(asked, { currency: one === "EUR" ? null : one, page: null })}"
            ${one === currency && html` aria-current="true"`}
            >${one}</a
          >`
      )}
    </nav>`

const totalColumns: ReadonlyArray<Column> = [
  { name: "collection", label: "collection" },
  { name: "cards", label: "cards", shape: "count" },
  { name: "value", label: "worth", shape: "price" },
  { name: "value_of_any_condition", label: "priced in no such condition", shape: "price" },
  { name: "cards_without_price", label: "cards without a price", shape: "count" },
  { name: "cost", label: "paid", shape: "price" },
  { name: "gain", label: "gain", shape: "move" }
]

const cardColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      row["product_id"] === null
        ? html`${String(row["name"] ?? "")} <small>${String(row["verdict"])}</small>`
        : productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
            row["expansion_code"],
            row["print_number"],
            row["finish"],
            row["condition"],
            row["language"]
          ])
  },
  { name: "cards", label: "cards", shape: "count" },
  { name: "price", label: "price of one", shape: "price" },
  { name: "value", label: "worth", shape: "price", currency: "value_currency" },
  { name: "gain", label: "gain", shape: "move", currency: "value_currency" },
  { name: "remark", label: "remark" },
  { name: "collection", label: "collection" }
]

const moverColumns: ReadonlyArray<Column> = [
  {
    name: "name",
    label: "card",
    shows: (row) =>
      productCell(productAddress(String(row["game_id"]), row["product_id"]), row["name"], [
        row["expansion_code"],
        row["print_number"],
        row["finish"]
      ])
  },
  { name: "cards", label: "cards", shape: "count" },
  {
    name: "new",
    label: "price",
    shape: "price",
    shows: (row) =>
      html`${price(row["new"], row["currency"])}
        <small>from ${price(row["old"], row["currency"])}, ${day(row["seen_before"])}</small>`
  },
  { name: "percent", label: "percent", shape: "percent" },
  { name: "change_of_all", label: "for all", shape: "move" },
  { name: "flags", label: "flags" }
]

const setColumns: ReadonlyArray<Column> = [
  {
    name: "expansion",
    label: "expansion",
    link: (row) => expansionAddress(String(row["game_id"]), row["expansion_id"])
  },
  { name: "mine", label: "cards I have", shape: "count" },
  { name: "cards", label: "of", shape: "count" },
  { name: "percent", label: "share", shape: "share" }
]
