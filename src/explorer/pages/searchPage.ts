import { listValue } from "@duckdb/node-api"
import { Effect } from "effect"
import { type PageRequest, expansionAddress, gameAddress, type Page, productAddress } from "../PageRequest.ts"
import { type Column, dataTable } from "../dataTable.ts"
import { counted } from "../figures.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { sourceColumn } from "../sourceColumns.ts"
import type { SourceNames } from "../sourceNames.ts"
import { queryNamed } from "../queryNamed.ts"

const byWords = queryNamed("search_products")
const expansionsByWords = queryNamed("search_expansions")
const byIds = queryNamed("search_ids")
const idsFound = queryNamed("search_ids_found")

/** Words of a search that count. */
const maxWords = 8
const longest = 200

/** Finds products and expansions by words of their names (any script, accents, case), by slugs and by ids. */
export const searchPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const whole = (asked.query.get("q") ?? "").trim().slice(0, longest)
  if (whole === "") return { title: "Search", body: html`${pageHead("Search", "Search")}${how}` } satisfies Page
  yield* asked.lake.searchable
  const words = whole.split(/\s+/u).slice(0, maxWords)
  const game = asked.game?.gameId ?? null
  const has = words.map((_, index) => {
    const word = `lower(strip_accents($word${index}))`
    return `(contains(name, ${word}) or contains(more, ${word}))`
  })
  const parameters = { game, whole, ...Object.fromEntries(words.map((word, index) => [`word${index}`, word])) }
  const products = yield* asked.lake.rows("Search products", byWords.replace("{words}", has.join(" and ")), parameters)
  const expansions = yield* asked.lake.rows(
    "Search expansions",
    expansionsByWords.replace("{words}", has.join(" and ")),
    parameters
  )
  const ids = yield* haveId(asked, whole)
  const where = asked.game === null ? "all games" : asked.game.name
  const body = html`${pageHead("Search", whole, html`in ${where}${asked.game !== null && html`, <a href="/search?${new URLSearchParams({ q: whole }).toString()}">search all games</a>`}`)}
  ${ids.length > 0 && dataTable("Has this id", idColumns(asked.lake.sources), ids)}
  ${expansions.length > 0 && dataTable("Expansions", expansionColumns(asked), expansions)}
  ${products.length > 0 && found(asked, products)}
  ${products.length + expansions.length + ids.length === 0 && nothing(whole)}`
  return { title: `Search: ${whole}`, body } satisfies Page
})

/** Products that have exactly this id, their own or in another system. */
const haveId = Effect.fnUntraced(function* ({ game, lake }: PageRequest, text: string) {
  const id = /^\d{1,16}$/.test(text) ? text : null
  const parameters = { game: game?.gameId ?? null, text }
  const near = yield* lake.rows("Search ids", byIds, { ...parameters, id })
  if (near.length === 0) return []
  const ids = listValue(near.map((row) => String(row["product_id"])))
  return yield* lake.rows("Look at the ids", idsFound, { ...parameters, ids })
})

const how = html`<p class="empty">
  Type a part of a name in any script, a slug, a product id, or an id of another system. <kbd>/</kbd> goes to the search
  field from every page.
</p>`

const nothing = (whole: string): Html =>
  html`<p class="empty">
    Nothing has “${whole}” in its name, slug or ids. Every word has to be there, so fewer words find more; ids have to
    be whole.
  </p>`

const found = (asked: PageRequest, products: ReadonlyArray<Row>): Html => {
  const all = Number(products[0]?.["all_found"] ?? 0)
  const more = all - products.length
  return html`${dataTable("Products", productColumns(asked), products)}
    <p class="pager">
      <span
        >${
          more > 0
            ? `The nearest ${counted(products.length)} of ${counted(all)}. Add a word to see fewer.`
            : `${counted(all)} ${all === 1 ? "product" : "products"}`
        }</span
      >
    </p>`
}

const product: Column = {
  name: "name",
  label: "name",
  link: (row) => productAddress(String(row["game_id"]), row["product_id"])
}
const gameColumn: Column = {
  name: "game_id",
  label: "game",
  link: (row) => gameAddress(String(row["game_id"]), "expansions")
}
/** If only one game is searched, its name is not shown. */
const gameColumns = ({ game }: PageRequest): ReadonlyArray<Column> => (game === null ? [gameColumn] : [])

const productColumns = (asked: PageRequest): ReadonlyArray<Column> => [
  product,
  {
    name: "expansion_name",
    label: "expansion",
    link: (row) => (row["expansion_id"] === null ? null : expansionAddress(String(row["game_id"]), row["expansion_id"]))
  },
  { name: "print_number", label: "number" },
  { name: "variant", label: "variant" },
  { name: "rarity", label: "rarity" },
  { name: "kind", label: "kind" },
  ...gameColumns(asked),
  { name: "product_id", label: "id", shape: "id" }
]
const expansionColumns = (asked: PageRequest): ReadonlyArray<Column> => [
  { name: "name", label: "name", link: (row) => expansionAddress(String(row["game_id"]), row["expansion_id"]) },
  { name: "code", label: "code", shape: "code" },
  { name: "release_date", label: "released", shape: "day" },
  ...gameColumns(asked),
  { name: "expansion_id", label: "id", shape: "id" }
]
const idColumns = (sources: SourceNames): ReadonlyArray<Column> => [
  product,
  { name: "expansion_name", label: "expansion" },
  sourceColumn(sources, "system", "id of"),
  { name: "finish", label: "finish" },
  gameColumn,
  { name: "product_id", label: "id", shape: "id" }
]
