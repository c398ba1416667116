import { Effect } from "effect"
import { type PageRequest, choiceOf, gameOf, numberOf, type Page, productAddress } from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import type { Column } from "../dataTable.ts"
import { day } from "../figures.ts"
import { chooseForm } from "../../pages/chooseForm.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { queryNamed } from "../queryNamed.ts"
import { sourceColumn } from "../sourceColumns.ts"
import type { SourceNames } from "../sourceNames.ts"
import { comparedDays, whyNone } from "../whyEmpty.ts"

const movers = queryNamed("movers")

/** Which prices of a game moved most over a number of days, in money or in percent. */
export const moversPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const { sources } = asked.lake
  const days = yield* numberOf(asked, "days", { absent: 7, least: 1 })
  const minPrice = yield* numberOf(asked, "min-price", { absent: 1, whole: false })
  const minListings = yield* numberOf(asked, "min-listings", { absent: 0 })
  const source = yield* choiceOf(asked, "source", ["both", "sourceEur", "sourceUsd"])
  const by = yield* choiceOf(asked, "by", ["money", "percent"])
  const outliers = yield* choiceOf(asked, "outliers", ["all", "hide", "only"])
  const history = yield* choiceOf(asked, "history", ["no", "yes"])
  const ofSource = source === "both" ? null : source
  const [span = {}] = yield* asked.lake.rows("Look at the days", comparedDays, { game: gameId, days })
  const list = yield* listing(asked, {
    caption: "Market values then and now, in their own currency",
    sql: movers,
    parameters: {
      game: gameId,
      days,
      min_price: String(minPrice),
      min_listings: minListings,
      source: ofSource,
      outliers,
      with_history: history === "yes"
    },
    columns: columnsOf(gameId, sources),
    order: by === "money" ? "size" : "percent_size",
    down: true,
    key: ["product_id", "finish", "source"],
    empty: whyNone(asked, {
      game: gameId,
      needs: ["moves"],
      source: ofSource,
      sourceTitle: ofSource === null ? null : titleOf(sources.titles, ofSource),
      days,
      minPrice: String(minPrice),
      minListings,
      withHistory: history === "yes",
      rest: "by the choice of outliers"
    })
  })
  const form = chooseForm(asked.path, [
    { kind: "number", name: "days", label: "days back", value: days },
    {
      kind: "choice",
      name: "by",
      label: "greatest by",
      value: by,
      options: [
        ["money", "money"],
        ["percent", "percent"]
      ]
    },
    {
      kind: "choice",
      name: "source",
      label: "source",
      value: source,
      options: [
        ["both", "both"],
        ["sourceEur", titleOf(sources.titles, "sourceEur")],
        ["sourceUsd", titleOf(sources.titles, "sourceUsd")]
      ]
    },
    { kind: "number", name: "min-price", label: "price at least", value: minPrice, step: "any" },
    { kind: "number", name: "min-listings", label: "listings at least", value: minListings },
    {
      kind: "choice",
      name: "outliers",
      label: "outliers",
      value: outliers,
      options: [
        ["all", "show"],
        ["hide", "hide"],
        ["only", "only"]
      ]
    },
    {
      kind: "choice",
      name: "history",
      label: "before our first night",
      value: history,
      options: [
        ["no", "nothing"],
        ["yes", "the service’s own history"]
      ]
    }
  ])
  const says = html`${daysText(days, span)} An outlier moved far from all others of its source: often a wrong price, not
  a market.`
  return { title: `${name}: movers`, body: html`${pageHead(name, "Movers", says)}${form}${list}` } satisfies Page
})

/** Which days the prices are really of: a night may have been left out. */
const daysText = (days: number, { before_at, days_between, last_at }: Row): Html | string => {
  if (before_at === null || before_at === undefined) return ""
  const apart = Number(days_between)
  const asked = days === 1 ? "1 day" : `${days} days`
  const isAsked = Math.abs(apart - days) <= 0.5
  return html`From ${day(before_at)} to
  ${day(last_at)}${!isAsked && `, which is ${apart} days: the last reading that is ${asked} older or more`}.`
}

const columnsOf = (gameId: string, sources: SourceNames): ReadonlyArray<Column> => [
  { name: "name", label: "name", link: (row) => productAddress(gameId, row["product_id"]) },
  { name: "change", label: "change", shape: "move" },
  { name: "percent", label: "percent", shape: "percent" },
  { name: "old", label: "old", shape: "price" },
  { name: "new", label: "new", shape: "price" },
  { name: "expansion_code", label: "expansion", shape: "code" },
  { name: "finish", label: "finish" },
  sourceColumn(sources, "source"),
  { name: "listing_count", label: "listings", shape: "count" },
  { name: "is_outlier", label: "outlier", shows: (row) => (row["is_outlier"] === true ? "outlier" : "") },
  { name: "reverted", label: "spike", shows: (row) => (row["reverted"] === true ? "came back" : "") },
  { name: "seen_before", label: "since", shape: "day" },
  { name: "old_origin", label: "origin of old", shows: (row) => (row["old_origin"] === "history" ? "history" : "") }
]
