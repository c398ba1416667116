import { Effect } from "effect"
import { type PageRequest, addressWith, choiceOf, dayOf, gameOf, numberOf, type Page } from "../PageRequest.ts"
import { titleOf } from "../../../feed/contract/sourceTitles.ts"
import { columnsFilled, filledIn } from "../expansion/filledColumns.ts"
import { between, day } from "../dataTable.ts"
import { foldedForm } from "../foldedForm.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { listing } from "../listing.ts"
import { moverColumns, gainsAndFalls } from "../movers/moverTables.ts"
import { greatestMoves, movers } from "../movers/greatestMoves.ts"
import { type ChosenMovers, type CurrencyOfPrices, moverFields } from "../movers/moverFields.ts"
import { queryNamed } from "../queryNamed.ts"
import { takenFrom } from "../TakenAway.ts"
import { comparedDays, whyNone } from "../whyEmpty.ts"

const priceCurrencies = queryNamed("price_currencies")

/** Which prices of a game moved most between two readings, gains and falls apart, in one currency. */
export const moversPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* gameOf(request)
  const { sources } = request.lake
  const prices = yield* request.lake.rows("Look at the currencies", priceCurrencies, { game: gameId })
  const currencies = prices.map((row): CurrencyOfPrices => ({
    currency: String(row["currency"]),
    sources: Array.isArray(row["sources"])
      ? row["sources"].map((source) => titleOf(sources.titles, String(source)))
      : []
  }))
  const chosen = yield* chosenMovers(
    request,
    currencies.map(({ currency }) => currency)
  )
  const way = yield* choiceOf(request, "way", ["both", "gains", "falls"])
  const { days, flagged, minListings, minPrice, since, source, until } = chosen
  const parameters = {
    game: gameId,
    days,
    since,
    until,
    min_price: String(minPrice),
    min_listings: minListings,
    source,
    currency: chosen.currency,
    expansion: chosen.set,
    kind: chosen.kind,
    finish: chosen.finish,
    flagged,
    with_history: chosen.withHistory
  }
  const [span = {}] = yield* request.lake.rows("Look at the days", comparedDays, { game: gameId, days, since, until })
  const asked = { ...request, fileOf: `${day(span["before_at"])}-to-${day(span["last_at"])}` }
  const columns = columnsFilled(moverColumns(gameId), yield* filledIn(asked, gameId))
  const by = chosen.by === "money" ? "size" : "percent_size"
  const why = whyNone(asked, {
    game: gameId,
    needs: ["moves"],
    source,
    sourceTitle: source === null ? null : titleOf(sources.titles, source),
    days,
    since,
    until,
    minPrice: String(minPrice),
    minListings,
    withHistory: chosen.withHistory,
    rest: "by the other choices"
  })
  const both = Effect.gen(function* () {
    yield* takenFrom(asked, {
      step: "List the moves",
      sql: `select * from (${movers}) order by ${by} desc, product_id, finish, source`,
      parameters,
      rowsOf: asked.lake.rows
    })
    const rows = yield* asked.lake.rows("List the greatest moves", greatestMoves(by, 25), parameters)
    if (rows.length === 0) return html`<p class="empty">${yield* why}</p>`
    return gainsAndFalls({
      rows,
      columns,
      by: by === "size" ? "change" : "percent",
      addressOf: (way) => addressWith(asked, { way }),
      isTitled: true
    })
  })
  const one = listing(asked, {
    caption: way === "gains" ? "Gains of market value" : "Falls of market value",
    sql: `select * from (${movers}) where ${way === "gains" ? "change > 0" : "change < 0"}`,
    parameters,
    columns,
    order: by === "size" ? "change" : "percent",
    down: way === "gains",
    key: ["product_id", "finish", "source"],
    empty: why
  })
  const body = html`${pageHead(name, "Movers", daysText(chosen, span))}${spans(asked, chosen)}
  ${foldedForm(asked, moverFields(chosen, currencies), {
    kept: { days: String(days), ...(way === "both" ? {} : { way }) }
  })}
  ${way !== "both" && ways(asked, way)} ${yield* way === "both" ? both : one}${flagRules}`
  return { title: `${name}: movers`, body } satisfies Page
})

const chosenMovers = Effect.fnUntraced(function* (asked: PageRequest, currencies: ReadonlyArray<string>) {
  const text = (name: string) => (asked.query.get(name) ?? "").trim() || null
  const either = (value: string) => (value === "any" ? null : value)
  const [main = "EUR", ...others] = currencies
  const source = either(yield* choiceOf(asked, "source", ["any", "sourceEur", "sourceUsd"]))
  return {
    days: yield* numberOf(asked, "days", { absent: 7, least: 1 }),
    since: yield* dayOf(asked, "since"),
    until: yield* dayOf(asked, "until"),
    by: yield* choiceOf(asked, "by", ["money", "percent"]),
    // A source has its own currency.
    currency: source === null ? yield* choiceOf(asked, "currency", [main, ...others]) : null,
    source,
    set: text("set"),
    kind: either(yield* choiceOf(asked, "kind", ["any", "card", "sealed"])),
    finish: text("finish"),
    minPrice: yield* numberOf(asked, "min-price", { absent: 1, whole: false }),
    minListings: yield* numberOf(asked, "min-listings", { absent: 0 }),
    withHistory: (yield* choiceOf(asked, "history", ["no", "yes"])) === "yes",
    flagged: yield* choiceOf(asked, "flagged", [
      "all",
      "hide",
      "only",
      "outliers",
      "thin",
      "stale",
      "far",
      "outlier",
      "spike"
    ])
  } satisfies ChosenMovers
})

/** The spans that people ask for most, as links. */
const spans = (asked: PageRequest, { days, since }: ChosenMovers): Html =>
  html`<nav class="switch" aria-label="Days back">
    ${[1, 7, 30, 90, 365].map(
      (span) =>
        html`<a
          href="${addressWith(asked, { days: String(span), since: null, page: null })}"
          ${since === null && span === days && html` aria-current="true"`}
          >${span === 365 ? "1 y" : `${span} d`}</a
        >`
    )}
  </nav>`

const ways = (asked: PageRequest, way: string): Html =>
  html`<nav class="switch" aria-label="Gains or falls">
    ${(["both", "gains", "falls"] as const).map(
      (one) =>
        html`<a
          href="${addressWith(asked, { way: one === "both" ? null : one, sort: null, page: null })}"
          ${one === way && html` aria-current="true"`}
          >${one === "both" ? "Gains and falls" : one === "gains" ? "Gains" : "Falls"}</a
        >`
    )}
  </nav>`

/** Which days the prices are really of: a night may have been left out, or the game is younger than was asked for. */
const daysText = ({ days, since }: ChosenMovers, span: Row): Html | string => {
  const { before_at, days_between, is_old, last_at } = span
  if (before_at === null || before_at === undefined) return ""
  const apart = Number(days_between)
  const wanted = since ?? (days === 1 ? "1 day" : `${days} days`)
  const isWanted = since === null ? Math.abs(apart - days) <= 0.5 : day(before_at) === since
  const compared = html`From ${between(before_at, last_at)}`
  if (isWanted) return html`${compared}.`
  if (is_old !== true) return html`${compared}, ${apart} days: the first reading is no older.`
  return since === null
    ? html`${compared}, ${apart} days: the last reading that is ${wanted} older or more.`
    : html`${compared}, ${apart} days: the last reading before ${wanted}.`
}

const flagRules = html`<p class="says">
  Flags: <b>thin</b>, under three live listings (where the game has listings) or one source alone (where it has two);
  <b>stale</b>, the same at the last seven readings; <b>far</b>, over three times the source’s low; <b>outlier</b>,
  moved far from all others of its source; <b>spike</b>, went and came back. Other bounds:
  <code>from movers(thin_listings := 5)</code>
</p>`
