import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { addressWith, readChoice, type PageRequest, expansionAddress, readNumber, type Page } from "../PageRequest.ts"
import { type Column, dataTable, day } from "../dataTable.ts"
import { pager, pageRows } from "../listing.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { findProducts, maxSearchLength, takeFound } from "./findProducts.ts"
import { foundColumns, gameColumn, nameKey } from "./foundColumns.ts"

const filter = /(?:^|\s)((set|finish|rarity|kind|game|currency|price)[:=<>]+("[^"]*"|\S*))/gi

/** Examples of each filter. */
const examples: Readonly<Record<string, string>> = {
  set: "set:mh2",
  finish: "finish:foil",
  rarity: "rarity:m",
  kind: "kind:sealed",
  game: "game:magic",
  currency: "currency:usd",
  price: "price>20"
}

/** Parses a search text into filters and words, with the first error in a filter; null = no error. */
export const parseFilters = (text: string) => {
  const filters = [...text.matchAll(filter)].map(([, whole = "", name = "", value = ""]) => ({
    whole,
    name: name.toLowerCase(),
    value
  }))
  const wrong = filters.find(({ name, value }) => (name === "price" ? !/^[\d.,]+$/.test(value) : /^"*$/.test(value)))
  return {
    filters: filters.map(({ whole }) => whole),
    words: text.replaceAll(filter, " ").trim(),
    fault: wrong === undefined ? null : `${wrong.whole} is not a valid filter. Example: ${examples[wrong.name]}`
  }
}

/** The search page: expansions with that name or code, then a paginated list of products. */
export const searchPage = Effect.fnUntraced(function* (request: PageRequest) {
  const text = (request.query.get("q") ?? "").trim().slice(0, maxSearchLength)
  if (text === "") return { title: "Search", body: html`${pageHead("Search", "Search")}${how}` } satisfies Page
  const page = yield* readNumber(request, "page", { absent: 1, least: 1 })
  const game = request.game?.gameId ?? null
  yield* takeFound(request, text, game)
  const { fault, words } = parseFilters(text)
  if (fault !== null) return { title: `Search: ${text}`, body: faulty(text, fault) } satisfies Page
  // Filters alone list a set or a kind, product by product.
  const isByName = (yield* readChoice(request, "by", ["name", "printing"])) === "name" && words !== ""
  const some = { game, most: pageRows, skip: (page - 1) * pageRows }
  const products = yield* findProducts(request, text, isByName ? { ...some, perName: 1 + foldedPrintings } : some)
  const expansions = page > 1 ? [] : yield* request.lake.search("expansions", { said: text, game })
  const isEmpty = products.rows.length + expansions.length === 0
  const isPartly = products.rows.every((row) => row["how"] === "without")
  const elsewhere = isPartly && game !== null ? yield* findProducts(request, text, { game: null, most: 1 }) : null
  const others = elsewhere?.rows[0]?.["how"] === "without" ? 0 : (elsewhere?.found ?? 0)
  const body = html`${pageHead("Search", text, where(request, text))} ${filters}
  ${expansions.length > 0 && dataTable("Sets", expansionColumns(request), expansions)}
  ${products.rows.length > 0 && html`${lacking(text, products.rows, others)}${found(request, products, { page, isByName })}`}
  ${isEmpty && (page > 1 ? pastTheEnd(request) : nothing(text, others))}`
  return { title: `Search: ${text}`, body } satisfies Page
})

const allGames = (text: string): string => `/search?${new URLSearchParams({ q: text }).toString()}`

const where = ({ game, games }: PageRequest, text: string): Html | string => {
  if (games.length < 2) return ""
  return game === null ? "in all games" : html`in ${game.name}, <a href="${allGames(text)}">search all games</a>`
}

const how = html`<p class="empty">
    Search by name or part of a name, in any language: <code>Lotus, Black</code>, <code>fire/ice</code>,
    <code>blck lotus</code>. Search also by set code and number (<code>mh2 138</code>, <code>OGN-202</code>), by any id
    or by bar code. Press <kbd>/</kbd> on any page to go to the search field.
  </p>
  ${filtersLine("Filters, with or without a name:")}`

/** The examples of all filters, which explain them. */
function filtersLine(label: string): Html {
  return html`<p class="filters">
    ${label} <code>set:mh2</code> code or name · <code>finish:foil</code> · <code>rarity:m</code> first letters ·
    <code>price&gt;20</code> <code>price&lt;=50</code> · <code>kind:sealed</code> or card, token, booster_box ·
    <code>currency:usd</code>
  </p>`
}

const filters = filtersLine("Filters:")

const faulty = (text: string, fault: string): Html =>
  html`${pageHead("Search", text)} ${filters}
    <p class="empty">${fault}.</p>`

const pastTheEnd = (request: PageRequest): Html =>
  html`<p class="empty">
    There is no such page. <a href="${addressWith(request, { page: null })}">Go to the first page</a>
  </p>`

const nothing = (text: string, elsewhere: number): Html => {
  const { filters, words } = parseFilters(text)
  const named = words === "" ? "No product" : html`No product with “${words}” in its names, number or ids`
  return html`<p class="empty">
    ${filters.length === 0 ? html`No product has “${text}” in its names, number or ids.` : html`${named} matches ${filters.join(" ")}.`}${
      elsewhere > 0
        ? otherGames(text, elsewhere)
        : filters.length > 0
          ? words !== "" && html` Search <a href="${allGames(words)}">without filters</a>.`
          : " Check the spelling. Enter ids in full."
    }
  </p>`
}

/** The number of printings below the main one of a name. */
const foldedPrintings = 4

const otherGames = (text: string, elsewhere: number): Html | false =>
  elsewhere > 0 && html` <a href="${allGames(text)}">${formatAmount(elsewhere, "product")} in other games</a>`

/** Says which words of the search text no product has together with the others; "" if there are none. */
const lacking = (text: string, rows: ReadonlyArray<Row>, elsewhere: number): Html | "" => {
  const [first = [], ...more] = rows.map((row) =>
    String(row["missing"] ?? "")
      .split(" ")
      .filter(Boolean)
  )
  const words = first.filter((word) => more.every((lacked) => lacked.includes(word)))
  if (words.length === 0) return ""
  const quoted = words.map((word) => `“${word}”`).join(", ")
  const isFinish = words.length === 1 && rows.every((row) => row["lacks_finish"] === true)
  return html`<p class="note moves">
    ${isFinish ? `No ${words[0]} exists of these products.` : `No product has all words. Left out: ${quoted}.`}${otherGames(text, elsewhere)}
  </p>`
}

const found = (
  request: PageRequest,
  all: { readonly rows: ReadonlyArray<Row>; readonly found: number; readonly names: number },
  { isByName, page }: { readonly page: number; readonly isByName: boolean }
): Html => {
  const groups = [...Map.groupBy(all.rows, nameKey)]
  const rows = isByName ? groups.flatMap(([, [main]]) => (main === undefined ? [] : [main])) : all.rows
  const printings = {
    others: new Map(isByName ? groups.map(([place, [, ...others]]) => [place, others] as const) : []),
    allOf: (row: Row) =>
      `/search?${new URLSearchParams({ q: String(row["name"]), game: String(row["game_id"]), by: "printing" }).toString()}`
  }
  const alike = rows.every((row) => row["how"] === "like")
  const order = `most expensive first${isByName ? ", each with its main printing" : ""}`
  const caption = alike ? `Products with similar names, ${order}` : `Products: exact names first, then ${order}`
  const [total, words] = isByName
    ? ([all.names, ["name", "names"]] as const)
    : ([all.found, ["product", "products"]] as const)
  return html`${dataTable(caption, foundColumns(request, rows, printings), rows)}
  ${pager(request, { page, total, shown: rows.length }, words)} ${compared(request, rows)}${severalCurrencies(rows)}`
}

/** The reading that the last one is compared with, by game. */
const compared = ({ games }: PageRequest, rows: ReadonlyArray<Row>): Html | "" => {
  const days = new Map(
    rows.flatMap((row) =>
      row["seen_before"] === null ? [] : [[String(row["game_id"]), day(row["seen_before"])] as const]
    )
  )
  if (days.size === 0) return ""
  const named = [...days].map(([gameId, on]) =>
    days.size === 1 ? on : `${games.find((game) => game.gameId === gameId)?.name ?? gameId} ${on}`
  )
  return html`<p class="filters">
    Market value: of the finish in the search, else the cheapest; from the EUR source if it has a price. 7 d: change
    since the reading of ${named.join(", ")}.
  </p>`
}

/** A warning that amounts in several currencies cannot be compared. */
const severalCurrencies = (rows: ReadonlyArray<Row>): Html | false =>
  new Set(rows.flatMap(({ currency = null }) => (currency === null ? [] : [currency]))).size > 1 &&
  html`<p class="filters">
    Prices in several currencies are sorted by the last loaded exchange rates. Currencies without a rate come last.
  </p>`

const expansionColumns = ({ game, games }: PageRequest): ReadonlyArray<Column> => [
  { name: "name", label: "name", link: (row) => expansionAddress(String(row["game_id"]), row["expansion_id"]) },
  { name: "code", label: "code", shape: "code" },
  { name: "release_date", label: "released", shape: "day" },
  { name: "card_count", label: "cards", shape: "count" },
  ...(game === null && games.length > 1 ? [gameColumn(games)] : [])
]
