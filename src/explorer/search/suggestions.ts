import { Effect } from "effect"
import type { PageRequest } from "../PageRequest.ts"
import { shownText } from "../../contract/shownText.ts"
import { percent, price } from "../figures.ts"
import { findProducts, longestSearch } from "./findProducts.ts"
import { addressOf, kindOf, printingOf } from "./foundColumns.ts"

const suggested = 8
const maxLetters = 120

/** What the search field offers while somebody types: the best of what the search's page would list, as texts. */
export const suggestions = Effect.fnUntraced(function* (asked: PageRequest) {
  const said = (asked.query.get("q") ?? "").trim().slice(0, longestSearch)
  // On a lake that cannot be searched, the search's page says so.
  if (said === "" || !asked.lake.canSearch) return { found: 0, products: [] }
  const { found, rows } = yield* findProducts(asked, said, { game: asked.game?.gameId ?? null, most: suggested })
  const products = rows.map((row) => ({
    name: shownText(String(row["name"]), maxLetters),
    also: row["other_name"] === null ? "" : shownText(String(row["other_name"]), maxLetters),
    about: [
      printingOf(row),
      row["expansion_name"] ?? "",
      row["variant"] ?? "",
      row["kind"] === "card" ? (row["finish"] ?? "") : kindOf(row)
    ]
      .filter((part) => part !== "")
      .map((part) => shownText(String(part), maxLetters))
      .join(" · "),
    price: price(row["market_value"], row["currency"]),
    move: percent(row["percent"]),
    address: addressOf(row)
  }))
  return { found, products }
})
