import { html } from "../../pages/html.ts"
import { cents, centsMoved } from "../cents.ts"
import { type Column, counted, percent, productCell } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { productAddress } from "../PageRequest.ts"

/** The product of a spread: its name, and below it set, number and finish. */
export const productColumn = (gameId: string): Column => ({
  name: "name",
  label: "name",
  shows: (row) =>
    productCell(productAddress(gameId, row["product_id"]), row["name"], [
      row["expansion_code"],
      row["print_number"],
      row["finish"]
    ])
})

/** An amount in the minor units of its currency, which is in this column. */
export const centsColumn = (name: string, label: string, currency = "currency"): Column => ({
  name,
  label,
  shape: "price",
  shows: (row) => cents(row[name], row[currency])
})

/** Dollars, with what they are in euros. */
export const dollarsColumn = (name: string, label: string, inEur: string): Column => ({
  name,
  label,
  shape: "price",
  shows: (row) =>
    html`${cents(row[name], "USD")}${(row[inEur] ?? null) !== null && html` <small>${cents(row[inEur], "EUR")}</small>`}`
})

/** How many live listings, and how many pieces they have. */
export const listingsColumn = (name: string, label: string, pieces: string): Column => ({
  name,
  label,
  shape: "count",
  shows: (row) => html`${counted(row[name])} <small>${counted(row[pieces])} for sale</small>`
})

/** A difference in words, then in percent and money. */
export const apartColumn = (words: (row: Row) => string, currency: string): Column => ({
  name: "percent",
  label: "difference",
  shape: "long",
  shows: (row) =>
    (row["percent"] ?? null) !== null &&
    html`${words(row)} <small>${percent(row["percent"])}, ${centsMoved(row["difference"], row[currency])}</small>`
})
