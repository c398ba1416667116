import { Effect } from "effect"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { amountField, choiceField, type Field } from "../../pages/chooseForm.ts"
import { foldedForm } from "../pageChoices.ts"
import { html } from "../../pages/html.ts"
import type { Row, SourceNames } from "../LakeReader.ts"
import { listing, columnsFilled } from "../listing.ts"
import { readNumber, type PageRequest, productAddress } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const products = queryNamed("expansion/products")
const choices = queryNamed("expansion/choices")

/** The products of a set and their filter form; `has` is a row of filled.sql. */
export const productsOfSet = Effect.fnUntraced(function* (
  request: PageRequest,
  gameId: string,
  { has, id }: { readonly has: Row; readonly id: bigint }
) {
  const text = (name: string) => (request.query.get(name) ?? "").trim()
  const named = text("named").slice(0, 100)
  const [rarity, kind] = [text("rarity"), text("kind")]
  const least = yield* readNumber(request, "min-price", { absent: 0, whole: false })
  const list = yield* listing(request, {
    caption: "Products; market values are of the cheapest finish",
    sql: products,
    parameters: { game: gameId, id, named, rarity, kind, least: String(least) },
    columns: columnsFilled(productColumns(gameId, request.lake.sources), has),
    order: has["place"] === false ? "name" : "place",
    key: ["print_number", "name", "product_id"],
    empty:
      named + rarity + kind !== "" || least > 0
        ? "No product matches. Remove a filter."
        : "The lake has no products of this set: the feed lists none yet, or the contract refused them.",
    anchor: "products"
  })
  const words = yield* request.lake.rows("List the rarities and kinds", choices, { game: gameId, id })
  const of = (what: string) => words.filter((row) => row["what"] === what).map((row) => String(row["word"]))
  const choice = (name: string, value: string, options: ReadonlyArray<string>): ReadonlyArray<Field> =>
    options.length < 2 && value === ""
      ? []
      : [
          choiceField(name, name, value, [
            ["", "any"],
            ...[...new Set([...options, ...(value === "" ? [] : [value])])].map(
              (word) => [word, word.replaceAll("_", " ")] as const
            )
          ])
        ]
  const kept = ["history", "span"].flatMap((name) => (text(name) === "" ? [] : [[name, text(name)] as const]))
  const fields: ReadonlyArray<Field> = [
    { kind: "text", name: "named", label: "name or number", value: named },
    ...choice("rarity", rarity, of("rarity")),
    ...choice("kind", kind, of("kind")),
    amountField("min-price", "min. price", least)
  ]
  const form = foldedForm({ ...request, path: `${request.path}#products` }, fields, { kept: Object.fromEntries(kept) })
  return words.length === 0 ? list : html`${form}${list}`
})

const productColumns = (gameId: string, { titles }: SourceNames) =>
  [
    { name: "place", label: "number", shape: "code", shows: (row: Row) => String(row["print_number"] ?? "") },
    { name: "name", label: "name", link: (row: Row) => productAddress(gameId, row["product_id"]) },
    { name: "eur", label: sourceTitle(titles, "sourceEur"), shape: "price", currency: "eur_in" },
    { name: "usd", label: sourceTitle(titles, "sourceUsd"), shape: "price", currency: "usd_in" },
    { name: "listings", label: "listings", shape: "count" },
    { name: "variant", label: "variant" },
    { name: "rarity", label: "rarity" },
    { name: "kind", label: "kind", shows: (row: Row) => String(row["kind"] ?? "").replaceAll("_", " ") }
  ] as const
