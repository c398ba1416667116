import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { type SourceTitles, sourceTitle } from "../../../feed/contract/sourceTitles.ts"
import { html, type Html, pageHead } from "../../pages/html.ts"
import { command } from "../pageMarks.ts"
import type { Row } from "../LakeReader.ts"
import { type PageRequest, readChoice, readGame, type Page } from "../PageRequest.ts"
import { choiceLinks, foldedForm } from "../pageChoices.ts"
import { queryNamed } from "../queryNamed.ts"
import { spreadTables } from "../spreads/spreadTables.ts"

const kinds = ["regions", "sources", "pairs", "quotes"] as const
type Kind = (typeof kinds)[number]

const titles: Readonly<Record<Kind, string>> = {
  regions: "EU against US",
  sources: "Source against marketplace",
  pairs: "Source against source",
  quotes: "Low, mid, high"
}

/** Price gaps of the same item: between regions, between a source and the marketplace, or within a source. */
export const spreadsPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { gameId, name } = yield* readGame(request)
  const { root } = yield* Home
  const [has = {}] = yield* request.lake.rows("Read what can be compared", queryNamed("spreads/possible"), {
    game: gameId
  })
  const reasons = whyMissing(has, request.lake.sources.titles)
  const first = kinds.find((one) => reasons[one] === null) ?? "regions"
  const kind = yield* readChoice(request, "kind", [first, ...kinds.filter((one) => one !== first)])
  const hasRate = (has["rate_on"] ?? null) !== null
  const { fields, list } = yield* spreadTables[kind](request, { gameId, hasRate, hasHighs: has["has_highs"] === true })
  const shown = kinds.filter((one) => one === kind || reasons[one] === null)
  const choice = choiceLinks(
    "Kinds of spreads",
    shown.map((one) => [titles[one], `${request.path}?kind=${one}`, one === kind])
  )
  const leftOut = kinds.filter((one) => !shown.includes(one)).map((one) => `${titles[one]}: ${reasons[one]}`)
  const body = html`${pageHead(name, "Spreads")}${choice}
  ${leftOut.length > 0 && html`<p class="says">Not available for this game: ${leftOut.join("; ")}.</p>`}${foldedForm(request, fields, { kept: { kind } })}
  ${(kind === "regions" || kind === "pairs") && reasons[kind] === null && rateWords(root, has)}${list}`
  return { title: `${name}: spreads`, body } satisfies Page
})

/** Returns why the game cannot have a kind of spread; null = it can. */
const whyMissing = (has: Row, names: SourceTitles): Readonly<Record<Kind, string | null>> => {
  const [inEu, inNa, byEur, byUsd] = ["in_eu", "in_na", "by_eur", "by_usd"].map((fact) => has[fact] === true)
  const unlisted = `the marketplace had no live listings in the last reading (${String(has["read_on"])})`
  const one = (source: string) => `only ${sourceTitle(names, source)} has prices`
  const noPrices = "no product has a market value"
  return {
    regions:
      inEu && inNa
        ? null
        : !inEu && !inNa
          ? unlisted
          : `all live listings are in ${inEu === true ? "Europe" : "North America"}`,
    sources: !byEur && !byUsd ? noPrices : !inEu && !inNa ? unlisted : null,
    pairs: byEur && byUsd ? null : byEur === byUsd ? noPrices : one(byEur === true ? "sourceEur" : "sourceUsd"),
    quotes: has["quoted"] === true ? null : "no source gives a middle price together with a low or high price"
  }
}

const rateWords = (root: string, has: Row): Html => {
  const load = html`Download and unzip the European Central Bank’s rates, then load them:
  ${command(root, "fx", "eurofxref-hist.csv")}`
  if (has["has_rates"] !== true) {
    return html`<p class="note">
      No exchange rates are loaded, so prices in dollars and euros are not compared. ${load}
    </p>`
  }
  return (has["rate_on"] ?? null) === null
    ? html`<p class="note">
        No exchange rate is loaded for ${String(has["read_on"])}, the day of the last reading, so prices in dollars and
        euros are not compared. ${load}
      </p>`
    : html`<p class="says">Dollars are converted to euros at the rate of ${String(has["rate_on"])}.</p>`
}
