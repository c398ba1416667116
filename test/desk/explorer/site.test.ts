import { suite } from "../../support/suite.ts"
import { afterAll, assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { siteMarkup } from "../../../src/desk/explorer/site/siteAddress.ts"
import { demoReadme } from "../../../src/store/home/HomeMarker.ts"
import { killedAt } from "../../eachKill.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"
import { card, expansion, gameId } from "../../store/lake/invented.ts"
import { assertFault, cardlake, json, remove, temporaryFolder } from "../../pipelines/cli.ts"
import { askPage, Chromium, noChromium, openPage } from "./chromium.ts"
import { page, Pages, tableOf, textOf } from "./explored.ts"
import { ownInvented, names } from "./exploredInvented.ts"
import { crawl, filesIn } from "./staticSite.ts"

const folder = temporaryFolder()
afterAll(() => remove(folder))
const site = join(folder, "site")

/** Runs a command over the home of the suite. */
const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { root } = yield* Pages
  return yield* Effect.promise(() => cardlake([...args, "--home", root], { cwd: folder, env: {} }))
})
const imported = Effect.fnUntraced(function* (name: string, lines: ReadonlyArray<string>) {
  writeFileSync(join(folder, name), lines.join("\n"))
  assert.strictEqual((yield* run("collection", "import", name)).code, 0)
})

// As a page names a home that is quoted for a shell, in a folder of the working directory, and anywhere else.
it.each(["&#39;the home&#39;", "data/lake", ".", "the home"])("a command in a copy has no home: %s", (home) =>
  assert.strictEqual(
    siteMarkup(`<code class="command">cardlake watch add --home ${home}</code>`, "own.html", () => true),
    '<code class="command">cardlake watch add</code>'
  )
)

suite(Layer.merge(ownInvented, Chromium.layer), "the explorer", (it) => {
  it("refuses to export --with-collection where nothing was imported, before anything is written", function* () {
    const to = join(folder, "none")
    assertFault(
      yield* run("explore", "--export", to, "--with-collection"),
      1,
      /--with-collection found no cards\. No collections yet\. Import one with: cardlake collection import .*FILE$/
    )
    assert.isFalse(existsSync(to))
  })

  it("exports a site whose links all lead to its own files, wherever a server has it", function* () {
    const { root } = yield* Pages
    yield* imported("secretbinder.csv", ["product_id,quantity,paid", "1,77,1234.5678"])
    const exported = json(yield* run("explore", "--export", site, "--products", "10", "--json")) as Record<
      string,
      number
    >
    const { answered, dead } = yield* Effect.promise(() => crawl(site))
    assert.deepStrictEqual(dead, [])
    const files = filesIn(site)
    const behindScripts = ["assets/products.js", "cardlake-site.json"]
    assert.sameMembers([...new Set([...answered.keys(), ...behindScripts])], [...files])
    assert.strictEqual(exported["pages"], files.filter((file) => /(?<!\.notes)\.html$/.test(file)).length)
    assert.strictEqual(exported["products"], files.filter((file) => file.includes("/products/")).length)
    for (const [file, text] of answered) {
      assert.notInclude(text, root, file)
      assert.notMatch(text, /<form|\/console|held back|cardlake release|--home/, file)
      // One's own cards are nobody else's.
      assert.notMatch(text, /secretbinder|1234\.5678|My cards|href="[^"]*\/own/, file)
      if (/(?<!\.notes)\.html$/.test(file)) assert.strictEqual(text.match(/<script/g)?.length, 1, file)
    }
  })

  it("exports the tables of the pages that are served, and their files byte for byte", function* () {
    const copied = (file: string) => readFileSync(join(site, "games", gameId, file), "utf8")
    const product = { status: 200, html: copied("products/1.html") }
    const served = yield* page(`/games/${gameId}/products/1`)
    for (const caption of ["Changes by night", "Price sources", "External ids"]) {
      assert.isAbove(tableOf(product, caption).length, 1, caption)
      assert.deepStrictEqual(tableOf(product, caption), tableOf(served, caption))
    }
    assert.include(product.html, "<h1>&quot;&gt;&lt;img src=x onerror=&quot;document.title=1&quot;&gt;</h1>")
    for (const file of ["expansions/71.csv", "expansions/71.json"]) {
      assert.strictEqual(copied(file), (yield* page(`/games/${gameId}/${file}`)).html)
    }
    assert.strictEqual(copied("movers.way=gains.csv"), (yield* page(`/games/${gameId}/movers.csv?way=gains`)).html)
  })

  it.skipIf(noChromium !== null)(
    "exports pages that find products by words, even from a folder that nobody serves",
    function* () {
      const { page } = yield* openPage({ viewport: { width: 360, height: 740 } })
      const found = page.locator("#found a").first()
      yield* Effect.promise(async () => {
        await page.goto(pathToFileURL(join(site, "games", gameId, "movers.html")).href)
        await page.fill("#find", "cafe nandu")
        for (const typed of ["nandu, cafe", "ñandú / café"]) {
          await page.fill("#find", typed)
          assert.strictEqual(await found.textContent(), names.accents, typed)
        }
        await page.fill("#find", basename((await found.getAttribute("href")) ?? "", ".html"))
        assert.strictEqual(await found.textContent(), names.accents)
        await page.fill("#find", "zzzz")
        assert.include(await page.textContent("#found"), "No product with a page on this site")
        await page.fill("#find", "cafe nandu")
        await found.click()
        assert.strictEqual(await page.textContent("h1"), names.accents)
        await page.locator("details.values table").first().waitFor({ state: "hidden" })
        assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), 360)
      })
    }
  )

  it.full("killed while it exports, leaves what was there; the next one puts another in its place", function* () {
    const { root } = yield* Pages
    const before = filesIn(site)
    const partial = join(folder, `.${basename(site)}.partial`)
    const args = ["explore", "--home", root, "--export", site, "--products", "0", "--set", "m71"]
    assert.isNotNull(yield* killedAt("rename .site.old", args, { KILL_AMONG: "rename" }))
    assert.isTrue(existsSync(join(partial, "index.html")))
    assert.deepStrictEqual(filesIn(site), before)
    yield* run("explore", "--export", site, "--products", "2", "--set", "m71")
    assert.isFalse(existsSync(partial))
    for (const id of [3, 155]) assert.notInclude(filesIn(site), `games/${gameId}/products/${id}.html`)
    assert.deepStrictEqual((yield* Effect.promise(() => crawl(site))).dead, [])
  })

  it("refuses to export where something is that Cardlake did not write, and changes nothing there", function* () {
    const { root } = yield* Pages
    const [theirs, nowhere] = [join(folder, "theirs"), join(folder, "none")]
    for (const name of ["theirs", ".new.partial"]) mkdirSync(join(folder, name))
    writeFileSync(join(theirs, "index.html"), "<h1>My shop</h1>")
    writeFileSync(join(site, "CNAME"), "cards.example")
    writeFileSync(join(folder, ".new.partial", "x"), "")
    for (const [args, code, says] of [
      [
        ["--export", theirs],
        1,
        /theirs contains index\.html, which is not part of an exported site\. Choose an empty folder/
      ],
      [["--export", site], 1, /contains CNAME, which is not part of an exported site/],
      [["--export", join(folder, "new")], 1, /\.new\.partial contains x, which is not part of an exported site/],
      [["--export", join(root, "site")], 1, /is in the home .*, where only Cardlake writes/],
      [["--export", nowhere, "--game", "nowhere"], 2, /The lake has no game nowhere\. It has: /],
      [["--export", nowhere, "--set", "zz9"], 1, /has a set zz9/],
      [["--export", nowhere, "--port", "0"], 2, /--export starts no server/],
      [["--products", "3"], 2, /need --export/]
    ] as const) {
      assertFault(yield* run("explore", ...args), code, says)
    }
    assert.deepStrictEqual(filesIn(theirs), ["index.html"])
    for (const folder of [join(root, "site"), nowhere]) assert.isFalse(existsSync(folder), folder)
  })

  it("raises no alarm about the dates of a demo, and says that it is one", function* () {
    const { page, root } = yield* Pages
    const readme = join(root, demoReadme.name)
    writeFileSync(readme, demoReadme.text)
    const text = textOf((yield* page("/")).html)
    writeFileSync(readme, "Somebody's own words")
    assert.include(text, "Demo data")
    assert.include(text, "Read on 2026-05-02")
    assert.notInclude(text, "not read for")
    assert.include(textOf((yield* page("/")).html), "not read for")
  })

  it.skipIf(noChromium !== null)(
    "fits one's own cards on a phone: nothing scrolls sideways, and price, bounds, source and collection are in sight",
    function* () {
      const { url } = yield* Pages
      yield* imported("a binder of rares.csv", [
        "product_id,finish,quantity,paid,currency",
        "1,Standard,77,1234.5678,EUR",
        "2,,1,,"
      ])
      const bounds = ["--below", "1", "--above", "3000", "--percent", "20", "--days", "30"]
      assert.strictEqual((yield* run("watch", "add", "1", ...bounds)).code, 0)
      const { page } = yield* openPage({ viewport: { width: 360, height: 740 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/own`)
        const wide = await page.evaluate<ReadonlyArray<string>>(
          `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)`
        )
        assert.deepStrictEqual(wide, [])
        const textAt = (label: string) => page.locator(`[aria-label^='${label}']`).innerText()
        const watched = await textAt("Watched prices")
        assert.match(watched, /Source EUR/)
        assert.match(watched, /below 1\s+or above 3000\s+or moved 20\s%\sin 30 days/)
        assert.match(watched, /number 1/)
        assert.match(await textAt("Value of each"), /78 cards, /)
        assert.include(await textAt("Cards, in EUR"), "a binder of rares")
        assert.deepStrictEqual(await askPage(page, "faintTexts"), [])
      })
    }
  )
})

/** One night of a set whose third and fourth cards are the most expensive, beside a dearer card of no set. */
const fewCards = Pages.over(
  publishNights([
    {
      expansions: [expansion(71)],
      products: [2, 3, 9, 8, 70].map((marketValue, index) =>
        card(index + 1, {
          ...(index < 4 ? { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } } : {}),
          pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } }
        })
      )
    }
  ])
)

suite(fewCards, "an export of a set", (it) => {
  it.full("has its most expensive products, and one's own cards if that is asked for", function* () {
    yield* imported("secretbinder.csv", ["product_id,quantity,paid", "1,77,1234.5678"])
    const mine = join(folder, "mine")
    const exported = yield* run("explore", "--export", mine, "--products", "2", "--set", "m71", "--with-collection")
    assert.strictEqual(exported.code, 0, exported.stderr)
    const { answered, dead } = yield* Effect.promise(() => crawl(mine))
    assert.deepStrictEqual(dead, [])
    const products = filesIn(mine).filter((file) => /\/products\/\d+\.html$/.test(file))
    assert.includeMembers(products, [`games/${gameId}/products/3.html`, `games/${gameId}/products/4.html`])
    assert.notInclude(products, `games/${gameId}/products/5.html`)
    const page = answered.get("own.html") ?? ""
    assert.include(page, "Included by --with-collection: everybody who has this copy can see them.")
    assert.include(page, "secretbinder")
    assert.isTrue(answered.has("own.currency=_55__53__44_.html"))
    assert.include(answered.get("own.csv") ?? "", "secretbinder")
  })
})
