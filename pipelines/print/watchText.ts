import { price, percent } from "../../src/desk/explorer/dataTable.ts"
import { textTable } from "../../src/night/observe/textTable.ts"
import type { WatchedPrice, Watch } from "../../src/desk/own/Watchlist.ts"

/** Describes a watch. */
export const watchText = ({ above, below, days, finish, percent, productId, source }: Watch): string => {
  const bounds = [
    ...(below === null ? [] : [`below ${below}`]),
    ...(above === null ? [] : [`above ${above}`]),
    ...(percent === null ? [] : [`moved ${percent} % in ${days === 1 ? "a day" : `${days} days`}`])
  ]
  const of = [finish, source].filter((word) => word !== null)
  return `${productId}${of.length === 0 ? "" : ` (${of.join(", ")})`} ${bounds.join(" or ")}`
}

/** Describes a price that reached a bound. */
export const hitText = (hit: WatchedPrice): string => {
  const { currency, expansion_code, finish, flags, name, percent: moved, price: now, print_number } = hit
  const card = [name, expansion_code, print_number, finish].filter((word) => word !== null && word !== "").join(" ")
  const beware = flags === "" ? "" : ` (${String(flags)})`
  return `${card}: ${price(now, currency)}${moved === null ? "" : `, ${percent(moved)}`}, ${String(hit["hit"])}${beware}`
}

/** Lists all watches with their prices. */
export const watchlistText = (watched: ReadonlyArray<Watch>, prices: ReadonlyArray<WatchedPrice>): string => {
  if (watched.length === 0) return "Nothing is watched. Watch a price with: cardlake watch add PRODUCT --below 20"
  const bare = watched.filter(({ number }) => !prices.some((row) => Number(row["number"]) === number))
  const table = textTable(
    ["number", "product", "set", "finish", "price", "percent", "hit", "flags"],
    prices.map((row) => [
      String(row["number"]),
      String(row["name"]),
      [row["expansion_code"], row["print_number"]].filter((word) => word !== null).join(" "),
      String(row["finish"]),
      price(row["price"], row["currency"]),
      percent(row["percent"]),
      String(row["hit"]),
      String(row["flags"])
    ])
  )
  return [table, ...bare.map((one) => `${one.number}: ${watchText(one)}: no price now`)].join("\n")
}
