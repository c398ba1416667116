import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { assertHosts } from "../../feed/guard/hosts.ts"
import { gameId } from "../../store/lake/invented.ts"
import { Pages, columnOf, get, page, tableOf, textOf } from "./explored.ts"
import { everyPage, exploredInvented, names } from "./exploredInvented.ts"
import { tried } from "../../tried.ts"

/** The status of a request with headers that `fetch` does not let through. */
const raw = (url: string, method: string, headers: Record<string, string>, body = "") =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        const { hostname, pathname, port } = new URL(url)
        const sent = request({ host: hostname, port, path: pathname, method, headers }, (answer) => {
          answer.resume()
          answer.once("end", () => resolve(answer.statusCode ?? 0))
        })
        sent.once("error", reject)
        sent.end(body)
      })
  )

suite(exploredInvented, "pages of untrusted names", (it) => {
  for (const path of tried(everyPage, (_, index) => index % 2 === 0)) {
    it(`show them as text on ${path}, and lead nowhere but to this server`, function* () {
      const { html } = yield* page(path)
      assert.notMatch(
        html,
        /<img|<script>|<\/script>(?!\s*<)|<i?frame|<object|onerror="|\sstyle=|<style|javascript:[^<]*"/i
      )
      assert.strictEqual(html.match(/<script/g)?.length, 1)
      assert.notMatch(html, /[[\p{Cc}\p{Cf}]--[\n]]/v)
      assert.isBelow(html.length, path.startsWith("/console") ? 160_000 : 200_000)
      for (const [, place = ""] of html.matchAll(/\s(?:href|src|action|formaction)="([^"]*)"/g)) {
        assert.match(place, /^(\/(?!\/)|#)/, path)
      }
    })
  }

  it("show them letter for letter", function* () {
    const product = yield* page(`/games/${gameId}/products/1`)
    assert.include(product.html, `<h1>&quot;&gt;&lt;img src=x onerror=&quot;document.title=1&quot;&gt;</h1>`)
    assert.isTrue(
      tableOf(product, "Changes by night").some((row) => row.includes(names.script) && row.includes(names.attribute))
    )
    assert.include(textOf(product.html), "javascript:alert(1)")
    assert.include(textOf((yield* page(`/games/${gameId}/refusals`)).html), "<b>refused</b>")
  })

  it("show what a reader would not see, and the first letters of what is too long", function* () {
    const hostile = yield* page(`/games/${gameId}/products/201`)
    assert.include(hostile.html, String.raw`<h1>\u{202e}egap␛[2J\u{9b}1A\u{200b} Reversed</h1>`)
    const long = yield* page(`/games/${gameId}/products/202`)
    assert.match(long.html, /<h1>Long Long [Long ]{180,190}…<\/h1>/)
    assert.match(long.html, /<title>Long Long [Long ]{180,190}… · Cardlake<\/title>/)
  })

  it("send back to the server what was typed", function* () {
    const { url } = yield* Pages
    const typed = "select '\u200d\u202e' as a,\n\t2"
    const body = new URLSearchParams({ sql: typed })
    const { html } = yield* get(`${url}/console`, { method: "POST", body, headers: { origin: url } })
    assert.include(html, `${typed.replaceAll("'", "&#39;")}</textarea>`)
    assert.include(html, `<a href="/console?${new URLSearchParams({ sql: typed })}">`)
    assert.include((yield* page("/search?q=%E2%80%AEx")).html, 'value="\u202ex"')
  })

  const searches: ReadonlyArray<readonly [text: string, name: string]> = [
    ["白龍", names.japanese],
    ["眼の", names.japanese],
    ["cafe nandu", names.accents],
    ["CAFÉ", names.accents],
    ["<IMG src", names.attribute]
  ]
  for (const [text, name] of searches) {
    it(`find one by ${text}`, function* () {
      const found = yield* page(`/search?q=${encodeURIComponent(text)}`)
      assert.deepStrictEqual(columnOf(found, "Products", "name"), [name])
    })
  }

  it("list what moved since the reading before in each currency, all of it, with the trust in each price", function* () {
    const overview = yield* page("/")
    // From 7 to 8 May the first card goes from 16 to 17 euros, the one with accents from 6 to 2, far from all other moves.
    assert.deepStrictEqual(tableOf(overview, "Gainers"), [
      ["name", "now", "change"],
      [`${names.attribute} M71 · Standard`, "€17.00", "+€1.00 +6.25 %"]
    ])
    assert.deepStrictEqual(tableOf(overview, "Losers"), [
      ["name", "now", "change"],
      [`${names.accents} Standard thin`, "€2.00", "−€4.00 −66.67 %"]
    ])
    assert.include(textOf(overview.html), "EUR, 2026-05-07 to 2026-05-08: 2 prices moved, 1 of them doubted .")
    assert.include(textOf(overview.html), "No losers USD, 2026-05-07 to 2026-05-08: 1 price moved. All movers")
    const [, address = ""] = /href="([^"]*trust=doubted)"/.exec(overview.html) ?? []
    const doubted = yield* page(address.replaceAll("&amp;", "&"))
    assert.deepStrictEqual(columnOf(doubted, "Losers", "name"), [`${names.accents} Standard`])
    // The release notes of the last night have the same verdict, those of an earlier night none.
    const moves = (pair: string) =>
      Effect.map(page(`/games/${gameId}/diff${pair}`), (notes) => tableOf(notes, "Market values that moved"))
    const [head, accents] = yield* moves("")
    assert.deepStrictEqual([head?.at(-1), accents?.at(-1)], ["trust", "thin"])
    assert.notInclude((yield* moves("?from=night5&to=night6"))[0] ?? assert.fail(), "trust")
  })

  it("answer only under this machine's own names and those that it was started with", function* () {
    const { url } = yield* Pages
    yield* assertHosts(url, "/assets/explorer.js")
    yield* assertHosts(url, "/console")
  })

  it("take a form only from a page of this server", function* () {
    const { url } = yield* Pages
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const sent = (headers: Record<string, string>) => raw(`${url}/console`, "POST", { ...form, ...headers }, "sql=")
    assert.strictEqual(yield* sent({ origin: url }), 200)
    assert.strictEqual(yield* sent({ origin: "null", "sec-fetch-site": "same-origin" }), 200)
    assert.strictEqual(yield* sent({}), 403)
    assert.strictEqual(yield* sent({ origin: "null" }), 403)
    assert.strictEqual(yield* sent({ origin: "http://example.org", "sec-fetch-site": "cross-site" }), 403)
    assert.strictEqual(yield* sent({ origin: url.replace("127.0.0.1", "localhost") }), 403)
    assert.strictEqual(yield* sent({ origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }), 403)
    assert.strictEqual(yield* sent({ origin: "http://example.org", "sec-fetch-site": "same-origin" }), 403)
    assert.strictEqual(yield* sent({ origin: url, "sec-fetch-site": "cross-site" }), 403)
    const proxied = { host: "lake.example", origin: "https://lake.example" }
    assert.strictEqual(yield* sent(proxied), 200)
  })

  it.full("run a query of an address only where a page of this server led to it", function* () {
    const { url } = yield* Pages
    const sql = "select 'it ' || 'ran' as said"
    const at = (headers: Record<string, string>, ending = "") =>
      get(`${url}/console${ending}?${new URLSearchParams({ sql })}`, { headers })
    const led = [{ "sec-fetch-site": "same-origin" }, { referer: `${url}/console` }]
    for (const headers of led) assert.include((yield* at(headers)).html, "it ran", JSON.stringify(headers))
    const others: ReadonlyArray<Record<string, string>> = [
      {},
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site", referer: `${url}/console`, origin: url },
      { "sec-fetch-site": "same-origin, cross-site" },
      { referer: "http://example.org/console" },
      { referer: url.replace("127.0.0.1", "localhost") },
      { referer: url.replace(/:\d+$/, ":1") },
      { referer: `http://example.org/?${url}` }
    ]
    for (const headers of others) {
      const waiting = yield* at(headers)
      assert.notInclude(waiting.html, "it ran", JSON.stringify(headers))
      assert.include(textOf(waiting.html), "has not run yet")
      assert.include(waiting.html, "select &#39;it &#39; || &#39;ran&#39; as said</textarea>")
      const file = yield* at(headers, ".csv")
      assert.strictEqual(file.status, 403)
      assert.include(file.html, "has not run yet")
    }
  })

  it("take no other method and no form of more than a megabyte", function* () {
    const { url } = yield* Pages
    assert.strictEqual(yield* raw(url, "POST", { origin: url }), 405)
    assert.strictEqual(yield* raw(`${url}/console`, "DELETE", { origin: url }), 405)
    assert.strictEqual(yield* raw(`${url}/console`, "POST", { origin: url }, `sql=${"x".repeat(1_100_000)}`), 413)
  })

  it("load nothing from elsewhere, appear in no frame and send no referrer elsewhere", function* () {
    const { url } = yield* Pages
    for (const path of ["/", "/nowhere", "/assets/explorer.css"]) {
      const { headers } = yield* Effect.promise(() => fetch(url + path))
      assert.strictEqual(
        headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      )
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(headers.get("referrer-policy"), "same-origin")
    }
  })
})

suite(exploredInvented, "pages of a held night", (it) => {
  it("say that a snapshot is held and why, how old the lake is, and link to what the held one changes", function* () {
    const { root, url } = yield* Pages
    const overview = yield* page("/")
    const text = textOf(overview.html)
    assert.include(text, "1 game; 2 things need attention.")
    assert.match(text, /not read for \d+ days\. Read it now: cardlake nightly hollowmere/)
    assert.include(text, `cardlake nightly hollowmere --home '${root}'`)
    assert.include(text, "is held: 5 of <60> products disappeared. See the changes")
    const release = `cardlake release hollowmere night9 --why '…' --home '${root}'`
    assert.include(text, release)
    assert.include(text, "if it is wrong, do nothing: the published snapshot does not change")
    assert.match(text, /Hollowmere held Read/)
    const [, address = ""] = /href="([^"]*to=night9)"/.exec(overview.html) ?? []
    const diff = yield* page(address.replaceAll("&amp;", "&"))
    assert.strictEqual(diff.status, 200)
    assert.include(textOf(diff.html), "night9, not published")
    const [beforeCounts = ""] = textOf(diff.html).split("Products added")
    assert.match(
      beforeCounts,
      /Held: the changes below are not published\. The lake shows the night of 2026-05-08 03:00 UTC/
    )
    assert.match(beforeCounts, /5 of <60> products disappeared\. Look at the /)
    assert.include(beforeCounts, release)
    assert.include(beforeCounts, "if it is wrong, do nothing: the published snapshot does not change")
    // No mapping file brings products back.
    assert.notInclude(beforeCounts, "mapping file")
    assert.deepStrictEqual(columnOf(diff, "Records refused", "id"), ["dep_<7>", "200"])
    const file = address.replaceAll("&amp;", "&").replace("/diff", "/diff.html")
    assert.include(
      textOf((yield* page(file)).html),
      "Held: the later snapshot is not published. Reasons: 5 of <60> products disappeared."
    )
    const { headers } = yield* Effect.promise(() => fetch(url + file))
    assert.match(headers.get("content-disposition") ?? "", /"hollowmere-diff-2026-05-08-to-[^"]*-held\.html"/)
    assert.match(diff.html, /<option value="night6"[^>]*>\s*read 2/)
    const chosen = (yield* page(`/games/${gameId}/diff`)).html.matchAll(/<option value="(night\d)"[^>]* selected/g)
    assert.deepStrictEqual(
      Array.from(chosen, ([, snapshot]) => snapshot),
      ["night6", "night7"]
    )
  })
})
