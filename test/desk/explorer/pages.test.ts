import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { columnOf, counted, exploredSample, page, rows, textOf, totalOf } from "./explored.ts"
import { sampleGame } from "../../store/lake/sampleHome.ts"

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
    assert.include(text, "nothing needs attention")
    assert.include(overview.html, '<td class="long">', "a reason has room on a phone")
    assert.deepStrictEqual(columnOf(overview, "Results of the last runs", "verdict"), ["published", "published"])
    assert.deepStrictEqual(
      columnOf(overview, "Results of the last runs", "products"),
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
    assert.include(
      textOf((yield* page("/search?q=qqzzqq")).html),
      "No product has “qqzzqq” in its names, number or ids"
    )
  })

  it("/search: a name is one row with its other printings, told apart; what nothing has is said", function* () {
    const [{ name, printings } = {}] = yield* rows(
      "select name, count(*) as printings from products group by name order by printings desc, name limit 1"
    )
    const encoded = encodeURIComponent(String(name))
    const named = yield* page(`/search?q=${encoded}`)
    assert.strictEqual(columnOf(named, "Products", "name")[0], name)
    const [, folded = ""] = /<details class="printings">([\s\S]*?)<\/details>/.exec(named.html) ?? []
    assert.include(textOf(folded), `${Number(printings) - 1} more printing`)
    const texts = [...folded.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g)].map(([, text = ""]) => textOf(text))
    assert.strictEqual(new Set(texts).size, texts.length)
    assert.isAtLeast(texts.length, Number(printings) - 1)
    const apart = yield* page(`/search?q=${encoded}&by=printing`)
    assert.isAtLeast(columnOf(apart, "Products", "name").length, Number(printings))
    const without = textOf((yield* page(`/search?q=${encoded}%20qqzzqq`)).html)
    assert.include(without, "No product has all words. Left out: “qqzzqq”.")
    const foil = textOf((yield* page(`/search?q=${encoded}%20showcase`)).html)
    assert.include(foil, String(name))
  })

  it("/search: goes on beyond its first page, with how many there are", function* () {
    const [{ n } = {}] = yield* rows("select count(*) as n from products where product_type = 'card'")
    const first = yield* page("/search?q=kind:card")
    assert.include(textOf(first.html), `1–50 of ${counted(n)}`)
    const last = yield* page(`/search?q=kind:card&page=${Math.ceil(Number(n) / 50)}`)
    assert.strictEqual(columnOf(last, "Products", "id").length, Number(n) % 50 || 50)
    assert.include(textOf((yield* page("/search?q=kind:card&page=999")).html), "Go to the first page")
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

  it("/products/: every price with every digit, ids, and places that its links lead to", function* () {
    const [{ product_id: id } = {}] = yield* rows(
      "select product_id, count(*) as n from source_prices group by 1 order by n desc, 1 limit 1"
    )
    const prices = yield* rows(`from source_prices where product_id = ${String(id)} order by source, finish`)
    const product = yield* page(`${game}/products/${String(id)}`)
    for (const [label, column] of [
      ["market value", "market_value"],
      ["low", "low"]
    ] as const) {
      assert.deepStrictEqual(
        columnOf(product, "Price sources as of", label),
        prices.map((row) => shown(row[column], row["currency"] === "EUR" ? "€" : "$"))
      )
    }
    const ids = yield* rows(`select distinct external_id as id from external_ids where product_id = ${String(id)}`)
    assert.includeMembers(
      [...columnOf(product, "External ids", "id")],
      ids.map((row) => String(row["id"]))
    )
    const anchors = [...product.html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    assert.deepStrictEqual([...new Set(anchors)], anchors)
    const [, rateLink] = /href="[^"]*rate=same-day#([^"]+)"/.exec(product.html) ?? []
    assert.match(product.html, new RegExp(`<h2 id="${rateLink}">Price history</h2>`))
  })

  it("/products/?rate=: without a loaded rate nothing is converted, and the page says how to load them", function* () {
    const [usd = {}] = yield* rows(
      "select product_id from source_prices where source = 'sourceUsd' and market_value > 0 order by 1 limit 1"
    )
    const path = `${game}/products/${String(usd["product_id"])}`
    assert.include(textOf((yield* page(`${path}?rate=same-day`)).html), "exchange rate are left out")
    assert.notInclude(textOf((yield* page(path)).html), "exchange rate are left out")
  })

  it("/expansions/<id>: its products by name, fifty on a page", function* () {
    const [largest = {}] = yield* rows(
      "select expansion_id, count(*) as n from products where expansion_id is not null group by 1 order by n desc limit 1"
    )
    const address = `${game}/expansions/${String(largest["expansion_id"])}?sort=name`
    const one = yield* page(address)
    const products = yield* rows(
      `select name from products where expansion_id = ${String(largest["expansion_id"])} order by name, print_number, product_id`
    )
    const names = products.map((row) => String(row["name"]))
    assert.deepStrictEqual(columnOf(one, "Products", "name"), names.slice(0, 50))
    assert.include(textOf(one.html), `1–50 of ${counted(largest["n"])}`)
    assert.deepStrictEqual(columnOf(yield* page(`${address}&page=2`), "Products", "name"), names.slice(50, 100))
  })
})
