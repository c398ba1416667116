import { Effect } from "effect"
import { type PageRequest, expansionAddress, gameOf, type Page } from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import { html } from "../../pages/html.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"

const expansions = queryNamed("expansion/expansions")

/** The expansions of a game, the newest first, with their value and how much of it is known. */
export const expansionsPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const [eur, usd] = ["sourceEur", "sourceUsd"].map((source) => titleOf(asked.lake.sources.titles, source))
  const list = yield* listing(asked, {
    caption: "Expansions; the value is that of one of every card, each in its cheapest finish",
    sql: expansions,
    parameters: { game: gameId },
    columns: [
      { name: "name", label: "name", link: (row) => expansionAddress(gameId, row["expansion_id"]) },
      { name: "code", label: "code", shape: "code" },
      { name: "release_date", label: "released", shape: "day" },
      { name: "products", label: "products", shape: "count" },
      { name: "eur", label: `value, ${eur}`, shape: "price", currency: "eur_in" },
      { name: "usd", label: `value, ${usd}`, shape: "price", currency: "usd_in" },
      { name: "eur_covered", label: `priced by ${eur}`, shape: "share" },
      { name: "usd_covered", label: `priced by ${usd}`, shape: "share" },
      { name: "listed", label: "listed", shape: "share" }
    ],
    order: "release_date",
    down: true,
    key: ["expansion_id"],
    empty: `${name} has no expansions in the lake: the feed lists none.`
  })
  return { title: `${name}: expansions`, body: html`${pageHead(name, "Expansions")}${list}` } satisfies Page
})
