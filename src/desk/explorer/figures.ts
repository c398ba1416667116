import { DateTime } from "effect"
import type { Json } from "@duckdb/node-api"
import { grouped } from "../../store/diff/amountOf.ts"

/** A count as DuckDB sends it, BIGINT as text. */
export const counted = (count: Json | undefined): string =>
  count === null || count === undefined ? "" : grouped(String(count))

const signs = new Map([
  ["EUR", "€"],
  ["USD", "$"],
  ["GBP", "£"],
  ["JPY", "¥"]
])

/** A DECIMAL text as a price: 1713.2000 and EUR read €1,713.20. At least two places, never fewer than it has. */
export const price = (amount: Json | undefined, currency: Json | undefined = null): string => {
  if (amount === null || amount === undefined || amount === "") return ""
  const [whole = "", places = ""] = grouped(String(amount).replace(/^-/, "")).split(".")
  const figure = `${whole}.${places.replace(/0+$/, "").padEnd(2, "0")}`
  const minus = String(amount).startsWith("-") ? "−" : ""
  if (currency === null || currency === "") return minus + figure
  const sign = signs.get(String(currency))
  return sign === undefined ? `${minus}${figure} ${String(currency)}` : minus + sign + figure
}

/** A DECIMAL text as a change of price: +€3.00, −€3.00. */
export const move = (amount: Json | undefined, currency: Json | undefined = null): string => {
  const shown = price(amount, currency)
  return toneOf(amount) === "rise" ? `+${shown}` : shown
}

/** Which way a change goes; "" = it is none. */
export const toneOf = (change: Json | undefined): "rise" | "fall" | "" =>
  Number(change ?? 0) > 0 ? "rise" : Number(change ?? 0) < 0 ? "fall" : ""

/** A signed figure of percent, at least two places: +16.67 %. */
export const percent = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  const [whole = "", places = ""] = grouped(String(Math.abs(Number(value)))).split(".")
  return `${Number(value) < 0 ? "−" : Number(value) > 0 ? "+" : ""}${whole}.${places.padEnd(2, "0")} %`
}

/** A share without sign: 83.33 %. */
export const share = (value: Json | undefined): string =>
  value === null || value === undefined ? "" : `${grouped(String(value))} %`

/** An instant as DuckDB sends it, 2026-05-01 03:00:00+00, to the minute of UTC. */
export const instant = (at: Json | undefined): string =>
  typeof at === "string" ? `${at.slice(0, 16).replace("T", " ")} UTC` : ""

/** The days of two instants; of one day, their times as well. */
export const between = (from: Json | undefined, to: Json | undefined): string =>
  day(from) === day(to) && instant(from) !== instant(to)
    ? `${instant(from).replace(" UTC", "")} to ${instant(to).slice(11)}`
    : `${day(from)} to ${day(to)}`

/** The day of an instant. */
export const day = (at: Json | undefined): string => (typeof at === "string" ? at.slice(0, 10) : "")

/** An instant as DuckDB sends it, in milliseconds since 1970. */
export const millisOf = (at: string): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(at.replace(" ", "T").replace(/\+00$/, "Z")))

/** How long ago an instant was, in the greatest unit: 3 hours. */
export const age = (at: string, nowMillis: number): string => {
  const seconds = Math.max(0, (nowMillis - millisOf(at)) / 1000)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const units: ReadonlyArray<readonly [unit: string, seconds: number]> = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
]
