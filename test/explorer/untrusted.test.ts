import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request } from "node:http"
import { assertHosts } from "../guard/hosts.ts"
import { gameId } from "../lake/invented.ts"
import { columnOf, get, tableOf, textOf } from "./explored.ts"
import { everyPage, ExploredInvented, names } from "./exploredInvented.ts"

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

layer(ExploredInvented.layer, { excludeTestServices: true, timeout: 60_000 })("pages of untrusted names", (it) => {
  for (const path of everyPage) {
    it.effect(`show them as text on ${path}, and lead nowhere but to this server`, () =>
      Effect.gen(function* () {
        const { page } = yield* ExploredInvented
        const { html } = yield* page(path)
        assert.notMatch(
          html,
          /<img|<script>|<\/script>(?!\s*<)|<i?frame|<object|onerror="|\sstyle=|<style|javascript:[^<]*"/i
        )
        assert.strictEqual(html.match(/<script/g)?.length, 1)
        assert.notMatch(html, /[[\p{Cc}\p{Cf}]--[\n]]/v)
        assert.isBelow(html.length, 200_000)
        for (const [, place = ""] of html.matchAll(/\s(?:href|src|action|formaction)="([^"]*)"/g)) {
          assert.match(place, /^(\/(?!\/)|#)/, path)
        }
      })
    )
  }

  it.effect("show them letter for letter", () =>
    Effect.gen(function* () {
      const { page } = yield* ExploredInvented
      const product = yield* page(`/games/${gameId}/products/1`)
      assert.include(product.html, `<h1>&quot;&gt;&lt;img src=x onerror=&quot;document.title=1&quot;&gt;</h1>`)
      assert.isTrue(
        tableOf(product, "What changed").some((row) => row.includes(names.script) && row.includes(names.attribute))
      )
      assert.include(textOf(product.html), "javascript:alert(1)")
      assert.include(textOf((yield* page(`/games/${gameId}/refusals`)).html), "<b>refused</b>")
    })
  )

  it.effect("show what a reader would not see, and the first letters of what is too long", () =>
    Effect.gen(function* () {
      const { page } = yield* ExploredInvented
      const hostile = yield* page(`/games/${gameId}/products/201`)
      assert.include(hostile.html, String.raw`<h1>\u{202e}egap␛[2J\u{9b}1A\u{200b} Reversed</h1>`)
      const long = yield* page(`/games/${gameId}/products/202`)
      assert.match(long.html, /<h1>Long Long [Long ]{180,190}…<\/h1>/)
      assert.match(long.html, /<title>Long Long [Long ]{180,190}… · Cardlake<\/title>/)
    })
  )

  it.effect("send back to the server what was typed", () =>
    Effect.gen(function* () {
      const { page, url } = yield* ExploredInvented
      const typed = "select '\u200d\u202e' as a,\n\t2"
      const body = new URLSearchParams({ sql: typed })
      const { html } = yield* get(`${url}/console`, { method: "POST", body, headers: { origin: url } })
      assert.include(html, `${typed.replaceAll("'", "&#39;")}</textarea>`)
      assert.include(html, `name="sql" value="${typed.replaceAll("'", "&#39;")}"`)
      assert.include((yield* page("/search?q=%E2%80%AEx")).html, 'value="\u202ex"')
    })
  )

  const searches: ReadonlyArray<readonly [text: string, name: string]> = [
    ["白龍", names.japanese],
    ["眼の", names.japanese],
    ["cafe nandu", names.accents],
    ["CAFÉ", names.accents],
    ["<IMG src", names.attribute]
  ]
  for (const [text, name] of searches) {
    it.effect(`find one by ${text}`, () =>
      Effect.gen(function* () {
        const { page } = yield* ExploredInvented
        const found = yield* page(`/search?q=${encodeURIComponent(text)}`)
        assert.deepStrictEqual(columnOf(found, "Products", "name"), [name])
      })
    )
  }

  it.effect("say that a snapshot is held and why, how old the lake is, and link to what the held one changes", () =>
    Effect.gen(function* () {
      const { page } = yield* ExploredInvented
      const overview = yield* page("/")
      assert.match(
        textOf(overview.html),
        /Not read for \d+ days\. Look at the last runs, then: cardlake nightly hollowmere/
      )
      assert.include(textOf(overview.html), "Held back: 5 of <60> products disappeared. See the difference")
      const [, address = ""] = /href="([^"]*to=night9)"/.exec(overview.html) ?? []
      const diff = yield* page(address.replaceAll("&amp;", "&"))
      assert.strictEqual(diff.status, 200)
      assert.include(textOf(diff.html), "night9, not published")
      const chosen = (yield* page(`/games/${gameId}/diff`)).html.matchAll(/<option value="(night\d)"[^>]* selected/g)
      assert.deepStrictEqual(
        Array.from(chosen, ([, snapshot]) => snapshot),
        ["night6", "night7"]
      )
    })
  )

  it.effect("answer only under this machine's own names and those that it was started with", () =>
    Effect.gen(function* () {
      const { url } = yield* ExploredInvented
      yield* assertHosts(url, "/assets/explorer.js")
      yield* assertHosts(url, "/console")
    })
  )

  it.effect("take a form only from a page of this server", () =>
    Effect.gen(function* () {
      const { url } = yield* ExploredInvented
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
  )

  it.effect("take no other method and no form of more than a megabyte", () =>
    Effect.gen(function* () {
      const { url } = yield* ExploredInvented
      assert.strictEqual(yield* raw(url, "POST", { origin: url }), 405)
      assert.strictEqual(yield* raw(`${url}/console`, "DELETE", { origin: url }), 405)
      assert.strictEqual(yield* raw(`${url}/console`, "POST", { origin: url }, `sql=${"x".repeat(1_100_000)}`), 413)
    })
  )

  it.effect("load nothing from elsewhere, appear in no frame and send no referrer elsewhere", () =>
    Effect.gen(function* () {
      const { url } = yield* ExploredInvented
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
  )
})
