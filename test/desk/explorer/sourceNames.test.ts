import { testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Home } from "../../../src/store/home/Home.ts"
import { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { emptyHome, type Said, publishNights } from "../../store/lake/handMadeNights.ts"
import { card, expansion, gameId } from "../../store/lake/invented.ts"
import { type Answer, columnOf, explore, tableOf, textOf } from "./explored.ts"

/** A card at every source, in the words of the live service or the spec's, dearer by `more`. */
const feedOf = (dialect: "spec" | "live", more: number): Said => {
  const [eur, usd, marketplace, mtgId] =
    dialect === "spec"
      ? (["sourceEur", "sourceUsd", "marketplace", "mtgId"] as const)
      : (["cardmarket", "tcgplayer", "cardnexus", "scryfallId"] as const)
  const price = (currency: string, low: number) => ({ currency, low, mid: low + 2, marketValue: low + more })
  const depth = { listingCount: 3, availableQuantity: 4 }
  const na = { currency: "USD", low: 8, ...depth, byCondition: { NM: { low: 8, ...depth } } }
  const Standard = {
    [eur]: { ...price("EUR", 5), byCondition: { NM: { low: 6, ...depth } } },
    [usd]: price("USD", 60),
    [marketplace]: { low: { amount: 7, currency: "EUR" }, ...depth, regions: { na } }
  }
  const externalIds = { [eur]: [{ finish: "Standard", id: 71 }], [mtgId]: "m-1" }
  const product = card(1, { expansionId: 7, pricesByFinish: { Standard }, externalIds })
  return { dialect, products: [product], expansions: [expansion(7)] }
}

const game = `/games/${gameId}`
const selectOf = ({ html }: Answer) =>
  [...html.matchAll(/<option value="(EUR|USD)"[^>]*>([^<]*)</g)].map(([, value, label]) => [value, label])
const chartsOf = ({ html }: Answer) => [...html.matchAll(/<figcaption>\s*<b>([^<]*)/g)].map(([, title]) => title)
const linksOf = (html: string): ReadonlyArray<string> => html.match(/(?<=href=")https[^"]*/g) ?? []
const headOf = (answer: Answer, caption: string) => tableOf(answer, caption)[0] ?? []

/** What the pages call the three, and the home page that the prices are linked to. */
interface Called {
  readonly names: readonly [eur: string, usd: string, marketplace: string]
  readonly links: ReadonlyArray<string>
}

const areCalled = Effect.fnUntraced(function* (
  page: (path: string) => Effect.Effect<Answer>,
  { links, names: [eur, usd, marketplace] }: Called
) {
  const product = yield* page(`${game}/products/1`)
  assert.deepStrictEqual(columnOf(product, "Price sources as of", "source"), [eur, usd])
  assert.deepStrictEqual(columnOf(product, "Listings by condition", "source or region"), [`${marketplace} NA`, eur])
  assert.deepStrictEqual(columnOf(product, "External ids", "system"), ["mtgId", eur])
  assert.deepStrictEqual(columnOf(product, "Problems with", "system"), [eur])
  assert.include(product.html, `${marketplace}: live listings as of the last reading`)
  assert.deepStrictEqual(chartsOf(product), ["Price sources", "Price sources", `${marketplace}, lowest listing`])
  assert.deepStrictEqual(headOf(product, "Price sources, EUR"), ["day", `${eur} Standard`])
  assert.deepStrictEqual(headOf(product, "Price sources, USD"), ["day", `${usd} Standard`])
  assert.deepStrictEqual(linksOf(product.html), [...links])

  const movers = yield* page(`${game}/movers?days=1`)
  assert.sameDeepMembers(selectOf(movers), [
    ["EUR", `EUR · ${eur}`],
    ["USD", `USD · ${usd}`]
  ])

  const pairs = headOf(yield* page(`${game}/spreads?kind=pairs`), "Market values of the two")
  assert.deepStrictEqual(pairs, ["name", eur, usd])
  const quotes = yield* page(`${game}/spreads?kind=quotes`)
  assert.deepStrictEqual(columnOf(quotes, "Difference between", "source").toSorted(), [eur, usd])
  const expansions = yield* page(`${game}/expansions`)
  assert.deepStrictEqual(
    headOf(expansions, "Expansions").filter((label) => /^(value|priced)/.test(label)),
    [`value, ${eur}`, `value, ${usd}`, `priced by ${eur}`, `priced by ${usd}`]
  )
  assert.deepStrictEqual(columnOf(expansions, "Expansions", `value, ${usd}`), ["$61.00"])
  const one = yield* page(`${game}/expansions/7`)
  assert.deepStrictEqual(columnOf(one, "Share of products", "source"), [eur, usd, marketplace])
  assert.deepStrictEqual(columnOf(one, "Products", eur), ["€6.00"])
  assert.deepStrictEqual(headOf(one, "Value of one of every card, USD"), ["day", usd])
  assert.deepStrictEqual(columnOf(yield* page(`${game}/audit`), "Findings", "system"), [eur])
  for (const answer of [product, movers, expansions, one]) assert.notMatch(textOf(answer.html), /source(Eur|Usd)/)
})

const spec: Called = { names: ["Source EUR", "Source USD", "Marketplace"], links: [] }

testIn(emptyHome).full(
  "every page calls the sources by the spec's titles, if the last reading was in its words",
  function* () {
    yield* Effect.scoped(publishNights([feedOf("live", 0), feedOf("spec", 1)]))
    const { page } = yield* explore(yield* Effect.context<Home | Lake>())
    yield* areCalled(page, spec)
  }
)

testIn(emptyHome)(
  "every page calls them by the live service's names if that was read last, and follows no odd address",
  function* () {
    yield* Effect.scoped(publishNights([feedOf("spec", 0), feedOf("live", 1)]))
    const { lake } = yield* Home
    const change = Effect.fnUntraced(function* (sql: string) {
      const session = yield* (yield* Lake).session
      yield* session.run("Change the lake", `attach '${lake}' as own; ${sql}; detach own`)
    }, Effect.scoped)
    const pages = explore(yield* Effect.context<Home | Lake>())
    const [eur, usd] = ["https://www.cardmarket.com", "https://www.tcgplayer.com"]
    const live: Called = { names: ["Cardmarket", "TCGplayer", "CardNexus"], links: [eur ?? "", usd ?? ""] }
    yield* areCalled((yield* pages).page, live)
    yield* change("update own.price_sources set url = 'javascript:alert(1)' where source = 'sourceUsd'")
    const { html } = yield* (yield* pages).page(`${game}/products/1`)
    assert.deepStrictEqual(linksOf(html), [eur])
  }
)
