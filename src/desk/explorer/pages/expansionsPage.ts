import { Effect } from "effect"
import { type PageRequest, expansionAddress, readGame, type Page } from "../PageRequest.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html, pageHead } from "../../pages/html.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { day, dataTable, joinFacts } from "../dataTable.ts"
import { columnsFilled, filledIn, listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"
import type { Row } from "../LakeReader.ts"
import { answerWithFile } from "../FileAnswer.ts"

const figures = queryNamed("expansion/figures")
const expansions = queryNamed("expansion/expansions")

/** The expansions of a game, newest first, with their value and the share of priced cards. */
export const expansionsPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  yield* request.lake.kept("Read the figures of expansions", figures)
  // A file has all expansions.
  yield* answerWithFile(request, {
    step: "List the expansions",
    sql: `select * from (${expansions}) order by release_date desc nulls last, expansion_id`,
    parameters: { game: gameId, stage: "all" }
  })
  const has = yield* filledIn(request, gameId)
  const columns = columnsFilled(expansionColumns(gameId, request), has)
  const apart = (stage: "coming" | "bare") =>
    request.lake.rows("List other sets", `from (${expansions}) order by release_date nulls last, name, expansion_id`, {
      game: gameId,
      stage
    })
  const isFirst = (request.query.get("page") ?? "1") === "1"
  const coming = isFirst ? yield* apart("coming") : []
  const bare = isFirst ? yield* apart("bare") : []
  const list = yield* listing(request, {
    caption: "Expansions; the value is one of every card in its cheapest finish",
    sql: expansions,
    parameters: { game: gameId, stage: "released" },
    columns,
    order: has["release_date"] === false ? "name" : "release_date",
    down: has["release_date"] !== false,
    key: ["expansion_id"],
    empty:
      coming.length + bare.length > 0
        ? "No released expansion has products in the lake."
        : `${name} has no expansions in the lake: the feed lists none.`
  })
  const body = html`${pageHead(name, "Expansions")}
  ${coming.length > 0 && dataTable("Not released as of the last reading", columns, coming)} ${list}
  ${
    bare.length > 0 &&
    html`<h2>Sets without products</h2>
      <p class="says">
        The feed lists these sets without products: the set may be new, or its cards may be in another set. Products
        that the contract refused are listed under <a href="refusals">Refusals</a>.
      </p>
      ${dataTable(
        "Without products",
        columns.filter(({ name }) => shownOfBare.has(name)),
        bare
      )}`
  }`
  return { title: `${name}: expansions`, body } satisfies Page
})

const shownOfBare: ReadonlySet<string> = new Set(["name", "code", "release_date"])

const expansionColumns = (gameId: string, request: PageRequest) => {
  const [eur, usd] = ["sourceEur", "sourceUsd"].map((source) => sourceTitle(request.lake.sources.titles, source))
  return [
    {
      name: "name",
      label: "name",
      shows: (row: Row) =>
        html`<a href="${expansionAddress(gameId, row["expansion_id"])}">${shownText(String(row["name"]), 200)}</a>
          <small class="narrow"
            >${joinFacts([row["code"], day(row["release_date"]), formatAmount(Number(row["products"]), "product")])}</small
          >`
    },
    { name: "eur", label: `value, ${eur}`, shape: "price", currency: "eur_in" },
    { name: "usd", label: `value, ${usd}`, shape: "price", currency: "usd_in" },
    { name: "release_date", label: "released", shape: "day", isWide: true },
    { name: "products", label: "products", shape: "count", isWide: true },
    { name: "code", label: "code", shape: "code", isWide: true },
    { name: "eur_covered", label: `priced by ${eur}`, shape: "share", needs: "eur", isWide: true },
    { name: "usd_covered", label: `priced by ${usd}`, shape: "share", needs: "usd", isWide: true },
    { name: "listed", label: "listed", shape: "share", needs: "listings", isWide: true }
  ] as const
}
