import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { columnOf, counted, exploredSample, page, rows, sampleGame, tableOf, textOf, totalOf } from "./explored.ts"

const game = `/games/${sampleGame}`

/** A DECIMAL text as the pages show it. */
const shown = (amount: unknown, sign: string): string => {
  if (amount === null) return ""
  const [whole = "", places = ""] = String(amount).split(".")
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")}.${places.replace(/0+$/, "").padEnd(2, "0")}`
}

suite(exploredSample, "a page over the lake", (it) => {
  it("/: every game's counts, how old they are, and the last runs", function* () {
    const overview = yield* page("/")
    const [row = {}] = yield* rows("from snapshots where is_current")
    const text = textOf(overview.html)
    assert.include(text, `${counted(row["products"])} products, ${counted(row["prices"])} prices`)
    assert.include(overview.html, `title="${String(row["deployment_id"])}"`)
    assert.match(text, /Read \d+ (second|minute)s? ago/)
    assert.include(text, "nothing waits for you")
    assert.include(overview.html, '<td class="long">', "a reason has room on a phone")
    assert.deepStrictEqual(columnOf(overview, "What the last runs did", "verdict"), ["published", "published"])
    assert.deepStrictEqual(
      columnOf(overview, "What the last runs did", "products"),
      (yield* rows("from runs order by run_id desc")).map((run) => counted(run["products"]))
    )
  })

  it("/: what the last publication did to products, each count with the list of just so many", function* () {
    const overview = yield* page("/")
    const [told = {}] = yield* rows(
      `select count(distinct id) filter (change = 'added') as added, count(distinct id) filter (change = 'removed') as removed,
           count(distinct id) filter (class = 'price' and change = 'modified') as repriced
         from changes where entity = 'product'`
    )
    const link = (word: string) => new RegExp(`href="([^"]*)"><b>([\\d,]+)</b>\\s*${word}<`).exec(overview.html) ?? []
    for (const word of ["added", "removed", "repriced"]) assert.strictEqual(link(word)[2], counted(told[word]))
    const list = yield* page((link("added")[1] ?? "").replaceAll("&amp;", "&"))
    assert.strictEqual(counted(totalOf(list)), counted(told["added"]))
  })

  it("/search: finds a product by its name in any case, its slug, its id or an external id", function* () {
    const [card = {}] = yield* rows(
      `select p.name, p.name_slug, p.product_id, e.external_id from products p join external_ids e using (game_id, product_id)
         where p.product_type = 'card' and e.system = 'sourceEur' order by p.product_id limit 1`
    )
    const name = String(card["name"])
    const named = yield* page(`/search?q=${encodeURIComponent(name.toUpperCase())}`)
    assert.include(columnOf(named, "Products", "name"), name)
    const bySlug = yield* page(`/search?q=${String(card["name_slug"])}`)
    assert.include(columnOf(bySlug, "Products", "id"), String(card["product_id"]))
    const byId = yield* page(`/search?q=${String(card["product_id"])}`)
    assert.deepStrictEqual(columnOf(byId, "Products", "id"), [String(card["product_id"])])
    const elsewhere = yield* page(`/search?q=${String(card["external_id"])}&game=${sampleGame}`)
    assert.include(columnOf(elsewhere, "Products", "id"), String(card["product_id"]))
    assert.include(textOf((yield* page("/search?q=qqzzqq")).html), "Nothing has “qqzzqq” in its names, number or ids")
  })

  it("/search: goes on beyond its first page, with how many there are", function* () {
    const [{ n } = {}] = yield* rows("select count(*) as n from products where product_type = 'card'")
    const first = yield* page("/search?q=kind:card")
    assert.include(textOf(first.html), `1–50 of ${counted(n)}`)
    const last = yield* page(`/search?q=kind:card&page=${Math.ceil(Number(n) / 50)}`)
    assert.strictEqual(columnOf(last, "Products", "id").length, Number(n) % 50 || 50)
    assert.include(textOf((yield* page("/search?q=kind:card&page=999")).html), "Go to its first page")
  })

  it("/search/suggestions: the first of what the page lists, with its price", function* () {
    const listed = yield* page("/search?q=brass")
    const offered = JSON.parse((yield* page("/search/suggestions?q=brass")).html) as {
      readonly found: number
      readonly products: ReadonlyArray<{ readonly name: string; readonly price: string; readonly address: string }>
    }
    assert.strictEqual(offered.products.length, 8)
    assert.isAbove(offered.found, 8)
    for (const [column, texts] of [
      ["name", offered.products.map(({ name }) => name)],
      ["market value", offered.products.map(({ price }) => price)],
      ["id", offered.products.map(({ address }) => address.replace(`${game}/products/`, ""))]
    ] as const) {
      assert.deepStrictEqual(columnOf(listed, "Products", column).slice(0, 8), texts)
    }
  })

  it("/products/: every price with every digit, ids, what changed from what to what", function* () {
    const [changed = {}] = yield* rows(
      "from changes where class = 'catalogue' and entity = 'product' and field = 'name' limit 1"
    )
    const product = yield* page(`${game}/products/${String(changed["id"])}`)
    assert.include(product.html, `<h1>${String(changed["new"]).replaceAll("'", "&#39;")}</h1>`)
    const changes = tableOf(product, "What changed")
    assert.isTrue(changes.some((row) => row.includes(String(changed["old"])) && row.includes(String(changed["new"]))))
    const [priced = {}] = yield* rows(
      "select product_id, count(*) as n from source_prices group by 1 order by n desc, 1 limit 1"
    )
    const prices = yield* rows(
      `from source_prices where product_id = ${String(priced["product_id"])} order by source, finish`
    )
    const page2 = yield* page(`${game}/products/${String(priced["product_id"])}`)
    const table = "Price sources, as of"
    assert.deepStrictEqual(
      columnOf(page2, table, "market value"),
      prices.map((row) => shown(row["market_value"], row["currency"] === "EUR" ? "€" : "$"))
    )
    assert.deepStrictEqual(
      columnOf(page2, table, "low"),
      prices.map((row) => shown(row["low"], row["currency"] === "EUR" ? "€" : "$"))
    )
    const ids = yield* rows(
      `select distinct external_id from external_ids where product_id = ${String(priced["product_id"])}`
    )
    assert.includeMembers(
      [...columnOf(page2, "External ids", "id")],
      ids.map((row) => String(row["external_id"]))
    )
    const anchors = [...page2.html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    assert.deepStrictEqual([...new Set(anchors)], anchors)
    const [, rateLink] = /href="[^"]*rate=same-day#([^"]+)"/.exec(page2.html) ?? []
    assert.match(page2.html, new RegExp(`<h2 id="${rateLink}">Price history</h2>`))
  })

  it("/products/?rate=: without a loaded rate nothing is converted, and the page says how to load them", function* () {
    const [usd = {}] = yield* rows(
      "select product_id from source_prices where source = 'sourceUsd' and market_value > 0 order by 1 limit 1"
    )
    const path = `${game}/products/${String(usd["product_id"])}`
    assert.include(textOf((yield* page(`${path}?rate=same-day`)).html), "exchange rate are left out")
    assert.notInclude(textOf((yield* page(path)).html), "exchange rate are left out")
  })

  it("/expansions: value and coverage of each; /expansions/<id>: its products", function* () {
    const list = yield* page(`${game}/expansions?sort=name`)
    const all = yield* rows(
      `select e.name, e.code, e.release_date::date::varchar as released, v.value,
           (select count(*) from products p where p.expansion_id = e.expansion_id) as products,
           exists (from products p where p.expansion_id = e.expansion_id) as has_products
         from expansions e left join set_values v on v.expansion_id = e.expansion_id and v.source = 'sourceEur'
         order by e.name, e.expansion_id`
    )
    const values = all.filter((row) => row["has_products"])
    // Below the name is what a phone has no columns for.
    const namedBelow = ({ code, name, products, released }: (typeof all)[number]) =>
      `${String(name)} ${[code, released, `${counted(products)} product${Number(products) === 1 ? "" : "s"}`].filter(Boolean).join(" · ")}`
    assert.deepStrictEqual(columnOf(list, "Expansions", "name"), values.map(namedBelow))
    assert.deepStrictEqual(
      columnOf(list, "Without products", "name"),
      all.filter((row) => !row["has_products"]).map(namedBelow)
    )
    assert.deepStrictEqual(
      columnOf(list, "Expansions", "value, Source EUR"),
      values.map((row) => shown(row["value"], "€"))
    )
    const [largest = {}] = yield* rows(
      "select expansion_id, count(*) as n from products where expansion_id is not null group by 1 order by n desc limit 1"
    )
    const one = yield* page(`${game}/expansions/${String(largest["expansion_id"])}?sort=name`)
    const products = yield* rows(
      `select name from products where expansion_id = ${String(largest["expansion_id"])} order by name, print_number, product_id limit 50`
    )
    assert.deepStrictEqual(
      columnOf(one, "Products", "name"),
      products.map((row) => String(row["name"]))
    )
    assert.include(textOf(one.html), `1–50 of ${counted(largest["n"])}`)
    const rarities = yield* rows(
      `select rarity, value, currency from set_values_by_rarity where expansion_id = ${String(largest["expansion_id"])} order by source, value desc`
    )
    assert.isAbove(rarities.length, 2)
    const byRarity = "What one of every card is worth by rarity"
    assert.deepStrictEqual(
      columnOf(one, byRarity, "rarity"),
      rarities.map((row) => String(row["rarity"]))
    )
    assert.deepStrictEqual(
      columnOf(one, byRarity, "one of every card"),
      rarities.map((row) => shown(row["value"], row["currency"] === "EUR" ? "€" : "$"))
    )
    const next = yield* page(`${game}/expansions/${String(largest["expansion_id"])}?sort=name&page=2`)
    assert.notDeepEqual(columnOf(next, "Products", "name"), columnOf(one, "Products", "name"))
  })

  it("/spreads: regions net of fee and shipping, sources, quotes", function* () {
    const quotes = yield* page(`${game}/spreads?kind=quotes&min-price=2`)
    const wanted = yield* rows(
      "select low from price_spreads where mid >= 2 order by low_to_mid desc nulls last, product_id, finish, source limit 50"
    )
    assert.deepStrictEqual(
      columnOf(quotes, "How far apart", "low").map((text) => text.slice(1)),
      wanted.map((row) => shown(row["low"], ""))
    )
    const regions = yield* page(`${game}/spreads?fee=8&shipping=1.5&min-listings=1`)
    const pairs = yield* rows(
      "select eu_low, eu_listings, eu_available_quantity as pieces from regional_spreads(8, 1.5, 1) order by eu_low desc, product_id, finish limit 50"
    )
    assert.isAbove(pairs.length, 2)
    assert.deepStrictEqual(
      columnOf(regions, "EUR left", "lowest EU"),
      pairs.map((row) => shown(row["eu_low"], "€"))
    )
    assert.deepStrictEqual(
      columnOf(regions, "EUR left", "listings EU"),
      pairs.map((row) => `${counted(row["eu_listings"])} ${counted(row["pieces"])} for sale`)
    )
    const both = yield* page(`${game}/spreads?kind=pairs&min-price=2`)
    const values = yield* rows(
      "select usd from source_against_source where greatest(eur, coalesce(usd_in_eur, eur)) >= 2 order by eur desc, product_id, finish limit 50"
    )
    assert.isAbove(values.length, 2)
    assert.deepStrictEqual(
      columnOf(both, "Market values of the two", "Source USD").map((text) => text.slice(1)),
      values.map((row) => shown(row["usd"], ""))
    )
    const sources = yield* page(`${game}/spreads?kind=sources&min-price=0&min-listings=0`)
    const [{ n } = {}] = yield* rows(
      "select count(*) as n from source_against_marketplace where greatest(market_value, marketplace_low) >= 0"
    )
    assert.strictEqual(totalOf(sources), Number(n))
  })
})
