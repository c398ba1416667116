import { type Column, move, percent, price, productColumn, sortableTable, counted } from "../dataTable.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"

/** A move in four columns, so that it fits beside another list: the card, its price, its change, what to beware of. */
export const moverColumns = (gameId: string): ReadonlyArray<Column & { readonly needs?: string }> => [
  productColumn(["expansion_code", "print_number", "finish"], {
    gameId,
    below: (row) => html`<small class="narrow">${String(row["flags"] ?? "")}</small>`
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
  { name: "flags", label: "flags", isWide: true }
]

/** Moves of both ways, and where all of each are. */
interface Moves {
  readonly rows: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column>
  /** The column whose size they are sorted by. */
  readonly by: "change" | "percent"
  readonly addressOf: (way: "gains" | "falls") => string
  /** Whether each way has a heading. */
  readonly isTitled: boolean
}

/** Gains beside falls; a row of each says in `moves` how many there are. */
export const gainsAndFalls = ({ addressOf, by, columns, isTitled, rows }: Moves): Html => {
  const half = (title: string, way: "gains" | "falls", moved: ReadonlyArray<Row>) =>
    html`<section>
      ${isTitled && html`<h2><a href="${addressOf(way)}">${title}</a></h2>`}
      ${
        moved.length === 0
          ? html`<p class="empty">No ${way}</p>`
          : html`${sortableTable({
                caption: `${title} of market value`,
                columns,
                rows: moved,
                order: { by, down: way === "gains" }
              })}
              <p class="pager"><a href="${addressOf(way)}">All ${counted(moved[0]?.["moves"])} ${way}</a></p>`
      }
    </section>`
  const gains = rows.filter((row) => Number(row["change"]) > 0)
  const falls = rows.filter((row) => Number(row["change"]) < 0)
  return html`<div class="pair">${half("Gains", "gains", gains)} ${half("Falls", "falls", falls)}</div>`
}
