import type { Json } from "@duckdb/node-api"
import { price } from "./dataTable.ts"

/** Decimals that a currency is paid in: 2 of EUR, 0 of JPY. */
const placesOf = (currency: string): number =>
  /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2

/** A converted or computed amount as it is paid, half a cent up; what is less than a cent keeps its digits. */
export const cents = (amount: Json | undefined, currency: Json | undefined): string => {
  const [, minus = "", whole = "", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount ?? "")) ?? []
  const wanted = placesOf(String(currency ?? ""))
  if (places.length <= wanted) return price(amount, currency)
  const unit = 10n ** BigInt(places.length - wanted)
  const rounded = (BigInt(whole + places) + unit / 2n) / unit
  if (rounded === 0n) return price(amount, currency)
  const digits = String(rounded).padStart(wanted + 1, "0")
  const end = digits.length - wanted
  return price(`${minus}${digits.slice(0, end)}${wanted === 0 ? "" : `.${digits.slice(end)}`}`, currency)
}

/** The same as a change: +€3.00. */
export const centsMoved = (amount: Json | undefined, currency: Json | undefined): string =>
  `${Number(amount ?? 0) > 0 ? "+" : ""}${cents(amount, currency)}`
