import { suite } from "../../support/suite.ts"
import { afterAll, assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { vi } from "vitest"
import { siteMarkup } from "../../../src/desk/explorer/site/siteAddress.ts"
import { gameId } from "../../store/lake/invented.ts"
import { assertFault, cardlake, json, remove, startCardlake, temporaryFolder } from "../../pipelines/cli.ts"
import { Chromium, noChromium, openPage } from "./chromium.ts"
import { page, Pages, tableOf } from "./explored.ts"
import { ownInvented, names } from "./exploredInvented.ts"
import { crawl, filesIn, serveFolder } from "./staticSite.ts"

const folder = temporaryFolder()
afterAll(() => remove(folder))
const site = join(folder, "site")

const run = (root: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => cardlake(["explore", "--home", root, ...args], { cwd: folder, env: {} }))

// As a page names a home that is quoted for a shell, in a folder of the working directory, and anywhere else.
it.each(["&#39;the home&#39;", "data/lake", ".", "the home"])("a command in a copy has no home: %s", (home) =>
  assert.strictEqual(
    siteMarkup(`<code class="command">cardlake watch add --home ${home}</code>`, "own.html", () => true),
    '<code class="command">cardlake watch add</code>'
  )
)

suite(Layer.merge(ownInvented, Chromium.layer), "explore --export", (it) => {
  it("--with-collection is refused before anything is written where nothing was imported", function* () {
    const { root } = yield* Pages
    const to = join(folder, "none")
    assertFault(
      yield* run(root, "--export", to, "--with-collection"),
      1,
      /There is nothing for --with-collection\. There is none yet\. Import one with: cardlake collection import .*FILE$/
    )
    assert.isFalse(existsSync(to))
  })

  it("writes a site whose links all lead to its own files, wherever a server has it", function* () {
    const { root } = yield* Pages
    writeFileSync(join(folder, "secretbinder.csv"), "product_id,quantity,paid\n1,77,1234.5678\n")
    const own = ["collection", "import", "secretbinder.csv", "--home", root]
    assert.strictEqual((yield* Effect.promise(() => cardlake(own, { cwd: folder, env: {} }))).code, 0)
    const said = json(yield* run(root, "--export", site, "--products", "10", "--json")) as Record<string, number>
    const { stop, url } = yield* Effect.promise(() => serveFolder(site))
    const { answered, dead } = yield* Effect.promise(() => crawl(url))
    stop()
    assert.deepStrictEqual(dead, [])
    const files = filesIn(site)
    const reached = [...answered.keys()].map((address) => address.slice(url.length) || "index.html")
    const behindScripts = ["assets/products.js", "cardlake-site.json"]
    assert.sameMembers([...new Set([...reached, ...behindScripts])], [...files])
    assert.strictEqual(said["pages"], files.filter((file) => /(?<!\.notes)\.html$/.test(file)).length)
    assert.strictEqual(said["products"], files.filter((file) => file.includes("/products/")).length)
    for (const [address, text] of answered) {
      assert.notInclude(text, root, address)
      assert.notMatch(text, /<form|\/console|held back|cardlake release|--home/, address)
      // One's own cards are nobody else's.
      assert.notMatch(text, /secretbinder|1234\.5678|My cards|href="[^"]*\/own/, address)
      if (address.endsWith(".html") && !address.endsWith(".notes.html"))
        assert.strictEqual(text.match(/<script/g)?.length, 1, address)
    }
  })

  it("has one's own cards only if that is asked for, and every link of them leads to its own files", function* () {
    const { root } = yield* Pages
    const mine = join(folder, "mine")
    const said = yield* run(root, "--export", mine, "--products", "0", "--with-collection")
    assert.strictEqual(said.code, 0, said.stderr)
    const { stop, url } = yield* Effect.promise(() => serveFolder(mine))
    const { answered, dead } = yield* Effect.promise(() => crawl(url))
    stop()
    assert.deepStrictEqual(dead, [])
    const page = answered.get(`${url}own.html`) ?? ""
    assert.include(page, "In this copy by --with-collection: whoever has the copy sees them.")
    assert.include(page, "secretbinder")
    assert.isTrue(answered.has(`${url}own.currency=_55__53__44_.html`))
    assert.include(answered.get(`${url}own.csv`) ?? "", "secretbinder")
  })

  it("has the tables of the pages that are served, and their files byte for byte", function* () {
    const copied = (file: string) => readFileSync(join(site, "games", gameId, file), "utf8")
    const product = { status: 200, html: copied("products/1.html") }
    const served = yield* page(`/games/${gameId}/products/1`)
    for (const caption of ["What changed", "Price sources", "External ids"]) {
      assert.isAbove(tableOf(product, caption).length, 1, caption)
      assert.deepStrictEqual(tableOf(product, caption), tableOf(served, caption))
    }
    assert.include(product.html, "<h1>&quot;&gt;&lt;img src=x onerror=&quot;document.title=1&quot;&gt;</h1>")
    for (const file of ["expansions/71.csv", "expansions/71.json"]) {
      assert.strictEqual(copied(file), (yield* page(`/games/${gameId}/${file}`)).html)
    }
    assert.strictEqual(copied("movers.way=gains.csv"), (yield* page(`/games/${gameId}/movers.csv?way=gains`)).html)
  })

  it.skipIf(noChromium !== null)("finds products by words, even from a folder that nobody serves", function* () {
    const { page } = yield* openPage({ viewport: { width: 360, height: 740 } })
    yield* Effect.promise(async () => {
      await page.goto(pathToFileURL(join(site, "games", gameId, "movers.html")).href)
      await page.fill("#find", "cafe nandu")
      for (const typed of ["nandu, cafe", "ñandú / café"]) {
        await page.fill("#find", typed)
        assert.strictEqual(await page.locator("#found a").first().textContent(), names.accents, typed)
      }
      const file = (await page.locator("#found a").first().getAttribute("href")) ?? ""
      await page.fill("#find", basename(file, ".html"))
      assert.strictEqual(await page.locator("#found a").first().textContent(), names.accents)
      await page.fill("#find", "zzzz")
      assert.include(await page.textContent("#found"), "No product that this site has a page of")
      await page.fill("#find", "cafe nandu")
      await page.click("#found a")
      assert.strictEqual(await page.textContent("h1"), names.accents)
      assert.isFalse(await page.locator("details.values table").first().isVisible())
      assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), 360)
    })
  })

  it("killed, leaves what was there; the next one puts another in its place: as many products as were asked for, of one set", function* () {
    const { root } = yield* Pages
    const before = filesIn(site)
    const args = ["explore", "--home", root, "--export", site]
    const killed = startCardlake(args, { cwd: folder, env: {} })
    const partial = join(folder, `.${basename(site)}.partial`)
    yield* Effect.promise(async () => {
      await vi.waitFor(() => assert.isTrue(existsSync(join(partial, "index.html"))), 30_000)
      killed.process.kill("SIGKILL")
      await killed.ended
    })
    assert.deepStrictEqual(filesIn(site), before)
    yield* run(root, "--export", site, "--products", "2", "--set", "m71")
    assert.isFalse(existsSync(partial))
    const files = filesIn(site)
    // The two dearest of the set are the sealed product and the last of sixty cards.
    assert.includeMembers([...files], [`games/${gameId}/products/9.html`, `games/${gameId}/products/159.html`])
    assert.notInclude(files, `games/${gameId}/products/101.html`)
    assert.notInclude(files, `games/${gameId}/products/3.html`)
    const { stop, url } = yield* Effect.promise(() => serveFolder(site))
    assert.deepStrictEqual((yield* Effect.promise(() => crawl(url))).dead, [])
    stop()
  })

  it("refuses what is not its own, and changes nothing there", function* () {
    const { root } = yield* Pages
    const theirs = join(folder, "theirs")
    mkdirSync(theirs)
    writeFileSync(join(theirs, "index.html"), "<h1>My shop</h1>")
    assertFault(
      yield* run(root, "--export", theirs),
      1,
      /theirs has index\.html, which no export wrote\. Choose an empty folder/
    )
    assert.deepStrictEqual(filesIn(theirs), ["index.html"])
    writeFileSync(join(site, "CNAME"), "cards.example")
    assertFault(yield* run(root, "--export", site), 1, /has CNAME, which no export wrote/)
    mkdirSync(join(folder, ".new.partial"))
    writeFileSync(join(folder, ".new.partial", "x"), "")
    assertFault(yield* run(root, "--export", join(folder, "new")), 1, /\.new\.partial has x, which no export wrote/)
    assertFault(yield* run(root, "--export", join(root, "site")), 1, /is in the home .*, where only Cardlake writes/)
    assert.isFalse(existsSync(join(root, "site")))
    const nowhere = join(folder, "none")
    assertFault(
      yield* run(root, "--export", nowhere, "--game", "nowhere"),
      2,
      /The lake has no game nowhere\. It has: /
    )
    assertFault(yield* run(root, "--export", nowhere, "--set", "zz9"), 1, /has a set zz9/)
    assertFault(yield* run(root, "--export", nowhere, "--port", "0"), 2, /--export serves nothing/)
    assertFault(yield* run(root, "--products", "3"), 2, /choose what --export writes/)
    assert.isFalse(existsSync(nowhere))
  })
})
