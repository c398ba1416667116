import { assert } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { gameId } from "../../store/lake/invented.ts"
import { suite } from "../../support/suite.ts"
import { exploredSample, page, type Pages, rows, textOf } from "./explored.ts"
import { sampleGame } from "../../store/lake/sampleHome.ts"
import { exploredInvented } from "./exploredInvented.ts"
import { pricedProducts } from "./pricedProducts.ts"

const signs: Readonly<Record<string, string>> = { EUR: "€", USD: "$", GBP: "£", JPY: "¥" }

/** A figure of money as a page shows it, without its direction: €1,234.50 and 12.30 CHF. */
const money = /(?:([€$£¥])([\d,]+\.\d+)|(?<![\d.,])([\d,]+\.\d+) ([A-Z]{3})\b)/g
const figuresIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(money)].map(
    ([, sign = "", amount = "", other = "", currency = ""]) =>
      `${sign || (signs[currency] ?? currency)} ${Number((amount || other).replaceAll(",", ""))}`
  )
const percentsIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/([+−])([\d,]+\.\d+) %/g)].map(
    ([, sign, amount = ""]) => Number(amount.replaceAll(",", "")) * (sign === "−" ? -1 : 1)
  )

/**
 * Every figure that SQL has of a product: amounts by source and region on any day, what changed between two market values, and for spreads
 * what any two amounts are apart.
 */
const figuresOfProducts = Effect.fnUntraced(function* (game: string) {
  const amounts = yield* rows(`with amounts as (
      select product_id, source || finish as line, currency, unnest([low, mid, high, market_value]) as amount, unnest([false, false, false, true]) as is_value
      from source_price_history where game_id = '${game}'
      union all
      select product_id, '', currency, low, false from marketplace_price_history where game_id = '${game}'
      union all
      select product_id, '', if(region = 'eu', 'EUR', 'USD'), low, false from marketplace_price_conditions where game_id = '${game}'
      union all
      select product_id, '', if(source = 'sourceEur', 'EUR', 'USD'), low, false from source_price_conditions where game_id = '${game}'
    )
    select product_id, line, currency, is_value, list(distinct amount::double) as amounts from amounts where amount is not null group by all`)
  const changes = yield* rows(`select product_id, list(distinct change) as changes from (
      select product_id, unnest([change_24h, change_7d, change_30d])::double as change from source_price_history where game_id = '${game}'
    ) where change is not null group by 1`)
  const figures = new Map<string, Set<string>>()
  const percents = new Map<string, Set<number>>()
  const of = <A>(map: Map<string, Set<A>>, id: string) => map.get(id) ?? map.set(id, new Set()).get(id) ?? new Set()
  const hundredths = (figure: number) => Math.round(figure * 100 + Math.sign(figure) * 1e-7) / 100
  for (const row of amounts) {
    const [id, sign] = [String(row["product_id"]), signs[String(row["currency"])] ?? String(row["currency"])]
    const all = row["amounts"] as unknown as ReadonlyArray<number>
    for (const amount of all) {
      of(figures, id).add(`${sign} ${amount}`)
      if (row["is_value"] !== true) continue
      for (const before of all) {
        of(figures, id).add(`${sign} ${Math.abs(Math.round((amount - before) * 1e4) / 1e4)}`)
        if (before > 0) of(percents, id).add(hundredths((100 * (amount - before)) / before))
      }
    }
  }
  for (const row of changes)
    for (const change of row["changes"] as unknown as ReadonlyArray<number>)
      of(percents, String(row["product_id"])).add(hundredths(change))
  const apart = new Map<string, Set<string>>()
  for (const [id, all] of figures) {
    const parts = [...all].map((figure) => figure.split(" "))
    for (const [sign = "", amount] of parts)
      for (const [other, before] of parts)
        if (sign === other)
          of(apart, id)
            .add(`${sign} ${amount}`)
            .add(`${sign} ${Math.abs(Math.round((Number(amount) - Number(before)) * 1e4) / 1e4)}`)
  }
  return { figures, percents, apart }
})

/** The rows of a page's tables, each with the product that it links to; on a product's own page, with that one. */
const productRows = (html: string, own: string | null) =>
  [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].flatMap(([, row = ""]) => {
    const text = textOf(row.replaceAll(/<details[\s\S]*?<\/details>/g, ""))
    const ids = [...new Set([...row.matchAll(/\/products\/(\d+)"/g)].map(([, id = ""]) => id))]
    const ofPrinting = [...row.matchAll(/<li>[\s\S]*?\/products\/(\d+)"([\s\S]*?)<\/li>/g)].map(
      ([, id = "", item = ""]) => [id, textOf(`<${item}`)] as const
    )
    const [id = own] = ids
    return id === null ? ofPrinting : [[id, text] as const].concat(ofPrinting)
  })

const everyFigure = <E>(name: string, layer: Layer.Layer<Pages, E>, game: string) => {
  suite(layer, `every figure of ${name}`, (it) => {
    it("is the same on every page, in every file and in SQL", function* () {
      const known = yield* figuresOfProducts(game)
      const [most = {}] = yield* rows(
        `select product_id from source_price_history where game_id = '${game}' group by 1 order by count(*) desc, 1 limit 1`
      )
      const [set = {}] = yield* rows(
        `select expansion_id from products where game_id = '${game}' and expansion_id is not null group by 1 order by count(*) desc, 1 limit 1`
      )
      const [id, expansion] = [String(most["product_id"]), String(set["expansion_id"])]
      const on = (path: string) => `/games/${game}/${path}`
      const lists = ["movers", "movers?days=30&by=percent", "movers?way=gains", "spreads?kind=sources", "spreads"]
      const more = [`products/${id}`, "audit", "expansions", `expansions/${expansion}`, "diff", "diff?show=moves"]
      const pages = ["/", "/search?q=a", `/search?q=a&by=printing&game=${game}`].concat(more.map(on), lists.map(on))
      let compared = 0
      for (const path of pages) {
        const { html, status } = yield* page(path)
        assert.strictEqual(status, 200, path)
        const own = path.includes("/products/") ? id : null
        // Other printings and neighbours on a product's page have rows of their own products.
        for (const [product, text] of productRows(html, own)) {
          for (const figure of figuresIn(text)) {
            // A spread is between two places, whatever their figures are called.
            const isKnown = (path.includes("spreads") ? known.apart : known.figures).get(product)?.has(figure)
            assert.isTrue(isKnown, `${path}: ${product} has no ${figure} in SQL: ${text}`)
            compared++
          }
          for (const percent of path.includes("spreads") ? [] : percentsIn(text)) {
            assert.isTrue(
              known.percents.get(product)?.has(percent),
              `${path}: ${product} has no ${percent} % in SQL: ${text}`
            )
          }
        }
        if (path === "/" || path.includes("show=")) continue
        const [address = "", query = ""] = path.split("?")
        const file = JSON.parse(
          (yield* page(`${address}.json${query === "" ? "" : `?${query}`}`)).html
        ) as ReadonlyArray<Readonly<Record<string, unknown>>>
        for (const row of file) {
          for (const column of ["market_value", "old", "new", "low", "high"]) {
            const [figure, product] = [row[column], own ?? row["product_id"]]
            if (typeof figure !== "number" || product === undefined || row["currency"] === undefined) continue
            const sign = signs[String(row["currency"])] ?? String(row["currency"])
            assert.isTrue(
              known.figures.get(String(product))?.has(`${sign} ${figure}`),
              `${path} as a file: ${String(product)} has no ${column} ${figure} in SQL`
            )
            compared++
          }
        }
      }
      assert.isAbove(compared, 10)
    })
  })
}

everyFigure("the sample", exploredSample, sampleGame)
everyFigure("products with every case of a price", pricedProducts, gameId)
everyFigure("names of every kind", exploredInvented, gameId)
