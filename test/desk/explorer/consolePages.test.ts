import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { exploredSample, get, page, Pages, rows, tableOf, textOf } from "./explored.ts"
import { sampleGame } from "../../store/lake/sampleHome.ts"

const game = `/games/${sampleGame}`

suite(exploredSample, "a page answers", (it) => {
  it("/console: every table, view and macro with its columns and an example that runs", function* () {
    const { url } = yield* Pages
    const { html } = yield* page("/console")
    const names = Array.from(html.matchAll(/<li>\s*<button[^>]*data-insert="([^"]*)"/g), ([, name]) => name)
    const tables = (yield* rows("show tables")).map((row) => String(row["name"]))
    assert.includeMembers(
      names.map((name) => String(name).replace("()", "")),
      tables
    )
    assert.includeMembers(names, ["movers()", "price_series()"])
    const columns = (yield* rows("describe products")).map((row) => String(row["column_name"]))
    const products = /data-insert="products"[\s\S]*?<\/li>/.exec(html)?.[0] ?? ""
    assert.deepStrictEqual(
      Array.from(products.matchAll(/data-insert="([^"]*)"/g), ([, name]) => name),
      ["products", ...columns]
    )
    const [, example = ""] = /href="(\/console\?sql=[^"]*)"/.exec(products) ?? []
    const ran = yield* get(url + example, { headers: { "sec-fetch-site": "same-origin" } })
    assert.include(ran.html, 'id="result"')
  })

  it("/console?sql=: rows with links to what they are of, a chart of days and numbers, all of them as a file", function* () {
    const { url } = yield* Pages
    const ask = (sql: string, ending = "") =>
      get(`${url}/console${ending}?${new URLSearchParams({ sql })}`, { headers: { "sec-fetch-site": "same-origin" } })
    const linked = yield* ask(`select '${sampleGame}' as game_id, 7 as product_id, 8 as expansion_id, 9 as id`)
    assert.deepStrictEqual(
      Array.from(linked.html.matchAll(/<td[^>]*>\s*<a href="([^"]*)"/g), ([, address]) => address),
      [`${game}/expansions`, `${game}/products/7`, `${game}/expansions/8`]
    )
    const days = `select date '2026-05-01' + i::int as day, unnest(['EUR', 'USD']) as currency, 10.5000::decimal(18, 4) + i as low from range(3) r(i)`
    const drawn = yield* ask(days)
    const captions = Array.from(drawn.html.matchAll(/<figcaption>([\s\S]*?)<\/figcaption>/g), ([, caption = ""]) =>
      textOf(caption)
    )
    assert.deepStrictEqual(captions, ["low EUR", "low USD"])
    assert.include(textOf(drawn.html), "low €12.50")
    assert.notInclude((yield* ask(`${days} union all ${days}`)).html, "<figcaption>")
    assert.strictEqual((yield* ask("select 1.50::decimal(9, 4) as a, null as b", ".csv")).html, "a,b\r\n1.5000,\r\n")
  })

  it.full("/console?sql=: each column in numbers, exactly, and the examples stay after an error", function* () {
    const { url } = yield* Pages
    const ask = (sql: string) =>
      get(`${url}/console?${new URLSearchParams({ sql })}`, { headers: { "sec-fetch-site": "same-origin" } })
    const wide = "9007199254740993.0001"
    const found = yield* ask(
      `select * from (values (${wide}::decimal(20, 4), 'b'), (9007199254740993.0002, null), (-2, 'a'), (-2, 'b')) t(low, name)`
    )
    const summary = textOf(/<details class="summaries">[\s\S]*?<\/details>/.exec(found.html)?.[0] ?? "")
    assert.include(summary, `low DECIMAL(20,4) 4 0 3 -2.0000 9007199254740993.0002`)
    assert.include(summary, "name VARCHAR 3 1 2 a b")
    const refused = yield* ask("select nothing")
    assert.include(refused.html, 'class="fault"')
    assert.match(textOf(refused.html), /Examples Movers of two weeks/)
  })

  it.full("/console: the rows of a query, and a sentence where it is refused", function* () {
    const { url } = yield* Pages
    const ask = (sql: string, path = "/console") =>
      Effect.promise(async () => {
        const body = new URLSearchParams({ sql, format: "csv" })
        const response = await fetch(url + path, { method: "POST", body, headers: { origin: url } })
        return { status: response.status, html: await response.text() }
      })
    const answer = yield* ask("select 9007199254740991 as id, 1.1000::decimal(18, 4) as low, '<i>' as name")
    assert.deepStrictEqual(tableOf(answer, "Result: 1 row"), [
      ["id", "low", "name"],
      ["9007199254740991", "1.1000", "<i>"]
    ])
    const [{ n } = {}] = yield* rows("select count(*) as n from products")
    const file = yield* ask("select product_id from products", "/console/download")
    assert.strictEqual(file.html.trimEnd().split("\r\n").length, Number(n) + 1)
    const refused = yield* ask("select 1,\n  nam from products")
    assert.include(refused.html, `LINE 2:   nam from products\n          ^</pre`)
    assert.include(refused.html, "select 1,\n  nam from products</textarea>")
    assert.include((yield* ask(`select '${"x".repeat(8000)}'`)).html, "too long for an address")
    assert.include(
      textOf((yield* ask("from read_text('/etc/passwd')")).html),
      "A query can only read the lake, so it cannot call read_text()"
    )
  })

  it("the recipe for Evidence: its query of the lake and its page's query of that have a value for each set and day", function* () {
    const recipe =
      readFileSync(new URL("../../../data/guide/other-programs.md", import.meta.url), "utf8").split("## Evidence")[1] ??
      ""
    const [, source = ""] = /```sql\n([\s\S]*?)```/.exec(recipe) ?? []
    const [, page = ""] = /```sql values\n([\s\S]*?) {4}```/.exec(recipe) ?? []
    const shown = yield* rows(
      `with set_values as (${source}), shown as (${page.replace("cards.set_values", "set_values")})
         select distinct name from shown where value > 0 and day is not null order by name`
    )
    const priced = yield* rows(
      `select distinct e.name from expansions e join products p using (game_id, expansion_id)
           join source_prices s on s.product_id = p.product_id
         where p.product_type = 'card' and s.source = 'sourceEur' and s.market_value > 0 order by e.name`
    )
    assert.isAbove(priced.length, 0)
    assert.deepStrictEqual(shown, priced)
  })
})
