import { Effect } from "effect"
import { type PageRequest, addressWith, readChoice, readGame, type Page } from "../PageRequest.ts"
import { sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { columnsFilled, filledIn, listing } from "../listing.ts"
import { between, type Column, day } from "../dataTable.ts"
import { choiceLinks, foldedForm } from "../pageChoices.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { keptDays, keptMoves, type Row } from "../LakeReader.ts"
import { moverColumns, gainsAndFalls, topMoves, maxBlock, movers, moversOfKept } from "../movers/moves.ts"
import { type ChosenMovers, chosenMovers, type CurrencyOfPrices, moverFields } from "../movers/moverFields.ts"
import { queryNamed } from "../queryNamed.ts"
import { answerWithFile } from "../FileAnswer.ts"
import { comparedDays, whyNone } from "../whyEmpty.ts"

const priceCurrencies = queryNamed("price_currencies")

/** The largest price moves of a game between two readings, gains and falls separately, in one currency. */
export const moversPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const currencies = yield* readCurrencies(request, gameId)
  const way = yield* readChoice(request, "way", ["both", "gains", "falls"])
  const chosen = yield* chosenMovers(
    request,
    currencies.map(({ currency }) => currency),
    way !== "both"
  )
  const { days, since, until } = chosen
  const [span = {}] = yield* request.lake.rows("Read the compared days", comparedDays, {
    game: gameId,
    days,
    since,
    until
  })
  const isNow = since === null && until === null && !chosen.withHistory && currencies.length > 0
  const isKept = isNow && keptDays.includes(days)
  if (isKept) yield* keptMoves(request.lake, days)
  const pageRequest = { ...request, fileOf: `${day(span["before_at"])}-to-${day(span["last_at"])}` }
  const list = {
    gameId,
    chosen,
    isKept,
    main: currencies[0]?.currency,
    columns: columnsFilled(moverColumns(gameId), yield* filledIn(pageRequest, gameId))
  }
  const moves = yield* way === "both" ? bothWays(pageRequest, list) : oneWay(pageRequest, list, way)
  const form = foldedForm(pageRequest, moverFields(chosen, currencies), {
    kept: { days: String(days), ...(way === "both" ? {} : { way }) }
  })
  const body = html`${pageHead(name, "Movers", daysText(chosen, span))}${spans(pageRequest, chosen)} ${form}
  ${way !== "both" && ways(pageRequest, way)} ${moves}${trustRules}`
  return { title: `${name}: movers`, body } satisfies Page
})

const readCurrencies = Effect.fnUntraced(function* ({ lake }: PageRequest, gameId: string) {
  const prices = yield* lake.rows("Read the currencies", priceCurrencies, { game: gameId })
  return prices.map(({ currency, sources }): CurrencyOfPrices => ({
    currency: String(currency),
    sources: Array.isArray(sources) ? sources.map((source) => sourceTitle(lake.sources.titles, String(source))) : []
  }))
})

/** The filters of a game's list of moves. */
interface MoverList {
  readonly gameId: string
  /** The currency of most prices; absent: the game has no prices. */
  readonly main: string | undefined
  readonly chosen: ChosenMovers
  /** True if the moves of its days are kept. */
  readonly isKept: boolean
  readonly columns: ReadonlyArray<Column>
}

/** The query of the moves and its parameters. */
const chosenMoves = ({ chosen, gameId, isKept }: MoverList) => ({
  moves: isKept ? moversOfKept(chosen.days) : movers,
  parameters: {
    ...(!isKept && { days: chosen.days, since: chosen.since, with_history: chosen.withHistory }),
    game: gameId,
    until: chosen.until,
    min_price: String(chosen.minPrice),
    min_listings: chosen.minListings,
    source: chosen.source,
    currency: chosen.currency,
    expansion: chosen.set,
    kind: chosen.kind,
    finish: chosen.finish,
    trust: chosen.trust
  }
})

/** True if the last reading has no prices, so nothing moved. To look for the moves of all games would take seconds. */
const isUnpriced = ({ chosen, main }: MoverList): boolean => main === undefined && chosen.until === null

const whyStill = (pageRequest: PageRequest, list: MoverList) => {
  const { source } = list.chosen
  return whyNone(pageRequest, {
    ...chosenMoves({ ...list, isKept: false }).parameters,
    needs: isUnpriced(list) ? ["prices"] : ["moves"],
    source_title: source === null ? null : sourceTitle(pageRequest.lake.sources.titles, source),
    rest: "by the other filters"
  })
}

/** The column that a list is sorted by. */
const shownBy = ({ by }: ChosenMovers) => (by === "money" ? "change" : "percent")

/** The largest gains beside the largest falls; a file has all moves. */
const bothWays = Effect.fnUntraced(function* (pageRequest: PageRequest, list: MoverList) {
  const { chosen, columns } = list
  const { moves, parameters } = chosenMoves(list)
  const by = chosen.by === "money" ? "size" : "percent_size"
  const sql = `select * from (${moves}) order by ${by} desc, product_id, finish, source`
  yield* answerWithFile(pageRequest, { step: "List the moves", sql, parameters })
  const rows = isUnpriced(list)
    ? []
    : yield* pageRequest.lake.rows("List the largest moves", topMoves(moves, by, maxBlock), parameters)
  if (rows.length === 0) return html`<p class="empty">${yield* whyStill(pageRequest, list)}</p>`
  // A list of one direction has the main currency unless its address names another.
  const wayAddress = (way: string, currency: string) =>
    addressWith(pageRequest, { way, currency: currency === list.main ? null : currency })
  return gainsAndFalls({ rows, columns, by: shownBy(chosen), addressOf: wayAddress, isTitled: true })
})

/** The list of all gains, or of all falls. */
const oneWay = (pageRequest: PageRequest, list: MoverList, way: "gains" | "falls") => {
  const { moves, parameters } = chosenMoves(list)
  return listing(pageRequest, {
    caption: `${wayNames[way]} by market value`,
    sql: `select * from (${moves}) where ${way === "gains" ? "change > 0" : "change < 0"}`,
    parameters,
    columns: list.columns,
    order: shownBy(list.chosen),
    down: way === "gains",
    key: ["product_id", "finish", "source"],
    empty: whyStill(pageRequest, list)
  })
}

/** Links to the most common spans. */
const spans = (pageRequest: PageRequest, { days, since }: ChosenMovers): Html =>
  choiceLinks(
    "Days to compare",
    [1, 7, 30, 90, 365].map((span) => [
      span === 365 ? "1 y" : `${span} d`,
      addressWith(pageRequest, { days: String(span), since: null, page: null }),
      since === null && span === days
    ])
  )

const wayNames = { both: "Gainers and losers", gains: "Gainers", falls: "Losers" } as const

const ways = (pageRequest: PageRequest, way: string): Html =>
  choiceLinks(
    "Gainers or losers",
    (["both", "gains", "falls"] as const).map((one) => [
      wayNames[one],
      addressWith(pageRequest, { way: one === "both" ? null : one, sort: null, page: null }),
      one === way
    ])
  )

/** Describes the days really compared, because a night may be missing, or the game is younger than the span. */
const daysText = ({ days, since }: ChosenMovers, span: Row): Html | string => {
  const { before_at, days_between, is_old, last_at } = span
  if (before_at === null || before_at === undefined) return ""
  const apart = Number(days_between)
  const wanted = since ?? (days === 1 ? "1 day" : `${days} days`)
  const isWanted = since === null ? Math.abs(apart - days) <= 0.5 : day(before_at) === since
  const compared = html`From ${between(before_at, last_at)}`
  if (isWanted) return html`${compared}.`
  if (is_old !== true) return html`${compared}, ${apart} days: there is no older reading.`
  return since === null
    ? html`${compared}, ${apart} days: the last reading at least ${wanted} older.`
    : html`${compared}, ${apart} days: the last reading before ${wanted}.`
}

const trustRules = html`<p class="says">
  Trust is the first that is true: <b>jump</b>: far from its own readings and from the move of its set, in the last
  seven readings. <b>parked</b>: more than three times the source’s low, without live listings. <b>disagree</b>: more
  than twice, or less than half, the other source’s price. <b>stale</b>: unchanged in the last seven readings.
  <b>thin</b>: fewer than three live listings. <b>single source</b>: the other source has no price. No price is left out
  or changed by it. The figures: <code>from price_trust()</code>
</p>`
