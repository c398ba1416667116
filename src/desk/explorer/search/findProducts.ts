import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { type PageRequest, expansionAddress } from "../PageRequest.ts"
import { answerWithFile } from "../FileAnswer.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { joinFacts, percent, price } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import { foundAddress, describeKind, describePrinting } from "./foundColumns.ts"

/** The maximum length of a search text; the rest is ignored. */
export const maxSearchLength = 300

/** The page of results to return. */
interface Some {
  readonly most: number
  readonly skip?: number
  /** Null = all games. */
  readonly game: string | null
  /** The maximum number of products of one name; `most` and `skip` then count names. Absent: products are listed one by one. */
  readonly perName?: number
}

/** Returns all results of a search as a file if the address requests one. */
export const takeFound = (request: PageRequest, text: string, game: string | null) =>
  answerWithFile(request, {
    step: "Search products",
    sql: "select * from find_products($said, game := $game, most := 1000000, skip := 0) order by place",
    parameters: { said: text, game }
  })

/** Finds products by a search text, the best match first, through the lake's macro. */
export const findProducts = Effect.fnUntraced(function* ({ lake }: PageRequest, text: string, some: Some) {
  const rows = yield* lake.search("products", {
    said: text,
    game: some.game,
    most: some.most,
    skip: some.skip ?? 0,
    per_name: some.perName ?? null
  })
  const count = (name: string) => Number(rows[0]?.[name] ?? 0)
  return { rows, found: count("found"), names: count("names") }
})

const suggested = 8
const maxLetters = 120
const setsSuggested = 2

/** Suggestions of the search field: the first results of the search page, as texts. */
export const suggestions = Effect.fnUntraced(function* (request: PageRequest) {
  const text = (request.query.get("q") ?? "").trim().slice(0, maxSearchLength)
  if (text === "") return { found: 0, products: [], sets: [] }
  const game = request.game?.gameId ?? null
  const [{ found, rows }, named] = yield* Effect.all(
    [
      findProducts(request, text, { game, most: suggested, perName: 1 }),
      request.lake.search("expansions", { said: text, game })
    ],
    { concurrency: 2 }
  )
  const products = rows.map((row) => ({
    name: shownText(String(row["name"]), maxLetters),
    also: row["other_name"] === null ? "" : shownText(String(row["other_name"]), maxLetters),
    about: joinFacts([
      describePrinting(row),
      row["expansion_name"],
      row["variant"],
      row["kind"] === "card" ? row["finish"] : describeKind(row),
      Number(row["printings"]) > 1 ? formatAmount(Number(row["printings"]), "printing") : "",
      row["missing"] === null ? "" : `without ${String(row["missing"])}`
    ]),
    price: price(row["market_value"], row["currency"]),
    move: percent(row["percent"]),
    address: foundAddress(row)
  }))
  return { found, products, sets: named.slice(0, setsSuggested).map(setOffered) }
})

/** A set that matches the text; a set with an exactly equal code or name comes before products. */
const setOffered = (row: Row) => ({
  name: shownText(String(row["name"]), maxLetters),
  about: joinFacts([row["code"], "set", row["card_count"] === null ? "" : `${String(row["card_count"])} cards`]),
  isWhole: row["is_whole"] === true,
  address: expansionAddress(String(row["game_id"]), row["expansion_id"])
})
