import { Effect } from "effect"
import { expansionAddress, type PageRequest } from "../PageRequest.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { percent, price } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"
import { findProducts, longestSearch } from "./findProducts.ts"
import { addressOf, kindOf, printingOf } from "./foundColumns.ts"

const suggested = 8
const maxLetters = 120
const setsSuggested = 2
const sets = queryNamed("search/expansions")

/** What the search field offers while somebody types: the best of what the search's page would list, as texts. */
export const suggestions = Effect.fnUntraced(function* (asked: PageRequest) {
  const said = (asked.query.get("q") ?? "").trim().slice(0, longestSearch)
  if (said === "") return { found: 0, products: [], sets: [] }
  const game = asked.game?.gameId ?? null
  const { found, rows } = yield* findProducts(asked, said, { game, most: suggested })
  const named = yield* asked.lake.rows("Search expansions", sets, { said, game })
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
  return { found, products, sets: named.slice(0, setsSuggested).map(setOffered) }
})

/** A set whose code or name was typed; the whole of either comes before products. */
const setOffered = (row: Row) => ({
  name: shownText(String(row["name"]), maxLetters),
  about: [row["code"] ?? "", "set", row["card_count"] === null ? "" : `${String(row["card_count"])} cards`]
    .filter((part) => part !== "")
    .map((part) => shownText(String(part), maxLetters))
    .join(" · "),
  isWhole: row["is_whole"] === true,
  address: expansionAddress(String(row["game_id"]), row["expansion_id"])
})
