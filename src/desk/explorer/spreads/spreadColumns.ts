import { html } from "../../pages/html.ts"
import { type Column, counted, percent, price } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import type { Json } from "@duckdb/node-api"

/** A column of amounts, rounded to the minor unit of the currency in column `currency`. */
export const centsColumn = (name: string, label: string, currency = "currency"): Column => ({
  name,
  label,
  shape: "price",
  shows: (row) => cents(row[name], row[currency])
})

/** A column of dollar amounts, with the same in euros. */
export const dollarsColumn = (name: string, label: string, inEur: string): Column => ({
  name,
  label,
  shape: "price",
  shows: (row) =>
    html`${cents(row[name], "USD")}${(row[inEur] ?? null) !== null && html` <small>${cents(row[inEur], "EUR")}</small>`}`
})

/** A column of live listings, and the quantity they offer. */
export const listingsColumn = (name: string, label: string, pieces: string): Column => ({
  name,
  label,
  shape: "count",
  shows: (row) => html`${counted(row[name])} <small>${counted(row[pieces])} for sale</small>`
})

/** A column of a difference in words, then in percent and money. */
export const apartColumn = (words: (row: Row) => string, currency: string): Column => ({
  name: "percent",
  label: "difference",
  shape: "long",
  shows: (row) =>
    (row["percent"] ?? null) !== null &&
    html`${words(row)} <small>${percent(row["percent"])}, ${centsMoved(row["difference"], row[currency])}</small>`
})

/** Returns the number of decimals of a currency: 2 for EUR, 0 for JPY. */
const countPlaces = (currency: string): number =>
  /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2

/** Rounds a computed amount to the minor unit, half up; an amount below one cent keeps its digits. */
export const cents = (amount: Json | undefined, currency: Json | undefined): string => {
  const [, minus = "", whole = "", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount ?? "")) ?? []
  const wanted = countPlaces(String(currency ?? ""))
  if (places.length <= wanted) return price(amount, currency)
  const unit = 10n ** BigInt(places.length - wanted)
  const rounded = (BigInt(whole + places) + unit / 2n) / unit
  if (rounded === 0n) return price(amount, currency)
  const digits = String(rounded).padStart(wanted + 1, "0")
  const end = digits.length - wanted
  return price(`${minus}${digits.slice(0, end)}${wanted === 0 ? "" : `.${digits.slice(end)}`}`, currency)
}

/** Formats a change of price like {@link cents}: +€3.00. */
export const centsMoved = (amount: Json | undefined, currency: Json | undefined): string =>
  `${Number(amount ?? 0) > 0 ? "+" : ""}${cents(amount, currency)}`
