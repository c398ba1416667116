import { productAddress } from "../PageRequest.ts"
import { type Column, move, percent, price, productCell } from "../dataTable.ts"
import { html } from "../../pages/html.ts"

/** A move in four columns, so that it fits beside another list: the card, its price, its change, what to beware of. */
export const moverColumns = (gameId: string): ReadonlyArray<Column & { readonly needs?: string }> => [
  {
    name: "name",
    label: "name",
    shows: (row) =>
      html`${productCell(productAddress(gameId, row["product_id"]), row["name"], [
          row["expansion_code"],
          row["print_number"],
          row["finish"]
        ])}<small class="narrow">${String(row["flags"] ?? "")}</small>`
  },
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
