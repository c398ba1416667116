import { Effect } from "effect"
import { type PageRequest, addressWith, choiceOf, dayOf, gameOf, numberOf, type Page } from "../PageRequest.ts"
import { titleOf } from "../../contract/sourceTitles.ts"
import { dataTable } from "../dataTable.ts"
import { counted, day } from "../figures.ts"
import { chooseForm } from "../../pages/chooseForm.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { pageHead } from "../../pages/pageDocument.ts"
import { listing } from "../listing.ts"
import { moverColumns } from "../movers/moverColumns.ts"
import { type ChosenMovers, type CurrencyOfPrices, moverFields } from "../movers/moverFields.ts"
import { queryNamed } from "../queryNamed.ts"
import { takenFrom } from "../TakenAway.ts"
import { comparedDays, whyNone } from "../whyEmpty.ts"

const movers = queryNamed("movers/movers")
const priceCurrencies = queryNamed("price_currencies")

/** Which prices of a game moved most between two readings, gains and falls apart, in one currency. */
export const moversPage = Effect.fnUntraced(function* (asked: PageRequest) {
  const { gameId, name } = yield* gameOf(asked)
  const { sources } = asked.lake
  const prices = yield* asked.lake.rows("Look at the currencies", priceCurrencies, { game: gameId })
  const currencies = prices.map((row): CurrencyOfPrices => ({
    currency: String(row["currency"]),
    sources: Array.isArray(row["sources"])
      ? row["sources"].map((source) => titleOf(sources.titles, String(source)))
      : []
  }))
  const chosen = yield* chosenMovers(
    asked,
    currencies.map(({ currency }) => currency)
  )
  const way = yield* choiceOf(asked, "way", ["both", "gains", "falls"])
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
  const [span = {}] = yield* asked.lake.rows("Look at the days", comparedDays, { game: gameId, days, since, until })
  const columns = moverColumns(gameId)
  const by = chosen.by === "money" ? "size" : "percent_size"
  const order = `${by} desc, product_id, finish, source`
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
      sql: `select * from (${movers}) order by ${order}`,
      parameters,
      rowsOf: asked.lake.rows
    })
    const rows = yield* asked.lake.rows(
      "List the greatest moves",
      `with moved as materialized (${movers}), gains as (from moved where change > 0), falls as (from moved where change < 0)
       from (select *, (select count(*) from gains) as moves from gains order by ${order} limit 25)
       union all
       from (select *, (select count(*) from falls) as moves from falls order by ${order} limit 25)
       order by ${order}`,
      parameters
    )
    if (rows.length === 0) return html`<p class="empty">${yield* why}</p>`
    const half = (title: string, way: string, moved: ReadonlyArray<Row>) =>
      html`<section>
        <h2>${title}</h2>
        ${
          moved.length === 0
            ? html`<p class="empty">None</p>`
            : html`${dataTable(`${title} of market value`, columns, moved)}
                <p class="pager">
                  <a href="${addressWith(asked, { way })}"
                    >All ${counted(moved[0]?.["moves"])} ${title.toLowerCase()}</a
                  >
                </p>`
        }
      </section>`
    return html`<div class="pair">
      ${half(
        "Gains",
        "gains",
        rows.filter((row) => Number(row["change"]) > 0)
      )}
      ${half(
        "Falls",
        "falls",
        rows.filter((row) => Number(row["change"]) < 0)
      )}
    </div>`
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
  ${chooseForm(asked.path, moverFields(chosen, currencies), { days: String(days), ...(way === "both" ? {} : { way }) })}
  ${ways(asked, way)} ${yield* way === "both" ? both : one}${flagRules}`
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
  const between = html`From ${day(before_at)} to ${day(last_at)}`
  if (isWanted) return html`${between}.`
  if (is_old !== true) return html`${between}, ${apart} days: the first reading is no older.`
  return since === null
    ? html`${between}, ${apart} days: the last reading that is ${wanted} older or more.`
    : html`${between}, ${apart} days: the last reading before ${wanted}.`
}

const flagRules = html`<p class="says">
  Flags: <b>thin</b>, under three live listings (where the game has listings) or one source alone (where it has two);
  <b>stale</b>, the same at the last seven readings; <b>far</b>, over three times the source’s low; <b>outlier</b>,
  moved far from all others of its source; <b>spike</b>, went and came back. Other bounds:
  <code>from movers(thin_listings := 5)</code>
</p>`
