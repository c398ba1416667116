import { type Column, doubt, move, percent, price, productColumn, sortableTable, counted } from "../dataTable.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

/** Four columns, narrow enough for two lists side by side: the card, its price, its change, its warnings. */
export const moverColumns = (gameId: string): ReadonlyArray<Column & { readonly needs?: string }> => [
  productColumn(["expansion_code", "print_number", "finish"], {
    gameId,
    below: (row) => html`<small class="narrow">${doubt(row["verdict"])}</small>`
  }),
  {
    name: "new",
    label: "price",
    shape: "price",
    shows: (row) =>
      html`${price(row["new"], row["currency"])}
        <small>from ${price(row["old"], row["currency"])}${row["old_origin"] === "history" && " (history)"}</small>`
  },
  {
    name: "change",
    label: "change",
    shape: "move",
    shows: (row) =>
      html`${move(row["change"], row["currency"])} <small class="narrow">${percent(row["percent"])}</small>`
  },
  { name: "percent", label: "percent", shape: "percent", isWide: true },
  { name: "listing_count", label: "listings", shape: "count", isWide: true, needs: "listings" },
  { name: "verdict", label: "trust", isWide: true }
]

/** The gains and falls to show, and where to find all of each. */
interface Moves {
  readonly rows: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column>
  /** The column by whose absolute value they are sorted. */
  readonly by: "change" | "percent"
  readonly addressOf: (way: "gains" | "falls", currency: string) => string
  /** True if gains and falls have headings. */
  readonly isTitled: boolean
}

/** The maximum number of gains, and of falls, on a page. */
export const maxBlock = 25

/** Gains beside falls, one block per currency; `moves` in a row is the total number of its direction and currency. */
export const gainsAndFalls = ({ addressOf, by, columns, isTitled, rows: all }: Moves): Html => {
  const blocks = [...Map.groupBy(all, (row) => String(row["currency"]))]
  // Several blocks together are about as long as one.
  const most = Math.ceil(maxBlock / blocks.length)
  const half = (way: "gains" | "falls", currency: string, rows: ReadonlyArray<Row>) => {
    const title = way === "gains" ? "Gainers" : "Losers"
    const moved = rows.filter(({ change }) => (way === "gains" ? Number(change) > 0 : Number(change) < 0))
    const inCurrency = blocks.length > 1 ? ` in ${currency}` : ""
    const order = { by, down: way === "gains" }
    const caption = `${title} by market value${inCurrency}`
    return html`<section>
      ${isTitled && html`<h2><a href="${addressOf(way, currency)}">${title}${inCurrency}</a></h2>`}
      ${
        moved.length === 0
          ? html`<p class="empty">No ${title.toLowerCase()}</p>`
          : html`${sortableTable({ caption, columns, rows: moved.slice(0, most), order })}
              <p class="pager">
                <a href="${addressOf(way, currency)}">All ${counted(moved[0]?.["moves"])} ${title.toLowerCase()}</a>
              </p>`
      }
    </section>`
  }
  return html`${blocks.map(
    ([currency, rows]) =>
      html`<div class="pair">${half("gains", currency, rows)} ${half("falls", currency, rows)}</div>`
  )}`
}

const chosen = queryNamed("movers/chosen")

/** Query of all moves that pass the filters. */
export const movers = `with moved as (${queryNamed("movers/movers")})\n${chosen}`

/** As {@link movers}, from the moves that `keptMoves` has stored for these days. */
export const moversOfKept = (days: number): string =>
  `with kept as (from memory.main.moves_of_days_${days}), moved as (${queryNamed("movers/kept")})\n${chosen}`

/** Query of the largest gains and falls of each currency, at most `most` each, with the total number of each. */
export const topMoves = (moves: string, by: "size" | "percent_size", most: number): string => {
  const order = `${by} desc, product_id, finish, source`
  return `select *, count(*) over way as moves from (${moves})
    window way as (partition by currency, change > 0)
    qualify row_number() over (partition by currency, change > 0 order by ${order}) <= ${most}
    order by max(abs(change)) over (partition by currency) desc, currency, ${order}`
}
