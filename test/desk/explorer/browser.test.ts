import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import type { BrowserContextOptions, Page } from "playwright-core"
import { suite } from "../../support/suite.ts"
import { gameId } from "../../store/lake/invented.ts"
import { isFull, tried } from "../../tried.ts"
import { askPage, Chromium, noChromium, openPage } from "./chromium.ts"
import { Pages } from "./explored.ts"
import { everyPage, exploredInvented } from "./exploredInvented.ts"
import { goesToAnotherGame, seesFrames } from "./seesFrames.ts"

const game = `/games/${gameId}`
const product = `${game}/products/1`
const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 900 }
/** A page of each look; the others differ in what they list. */
const looks = everyPage.filter((path) => !/rate=|kind=|show=|nowhere/.test(path))

if (noChromium !== null) console.warn(`${noChromium}: the browser tests of the pages are skipped`)

/** What somebody does in an empty page of a browser, over pages at an address; `complaints` are those of the page. */
type Visit = (page: Page, url: string, complaints: ReadonlyArray<string>) => Promise<void>

const widthOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollWidth")

suite(Layer.merge(exploredInvented, Chromium.layer), "in Chromium", (it) => {
  const visit = (name: string, options: BrowserContextOptions, steps: Visit, isLeftOut = false) =>
    it.skipIf(noChromium !== null || isLeftOut)(name, function* () {
      const { url } = yield* Pages
      const { complaints, page } = yield* openPage(options)
      yield* Effect.promise(() => steps(page, url, complaints))
    })

  visit(
    "no page reports an error, scrolls sideways, or has text with a contrast below 4.5, light or dark",
    { viewport: phone, colorScheme: "dark" },
    async (page, url, complaints) => {
      for (const path of tried(looks, (_, index) => index % 5 === 0)) {
        await page.setViewportSize(phone)
        await page.goto(url + path)
        assert.isAtMost(await widthOf(page), phone.width, path)
        assert.notStrictEqual(await page.title(), "taken")
        assert.strictEqual(await page.locator("h1").count(), 1, path)
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          assert.deepStrictEqual(await askPage(page, "faintTexts"), [], `${path}, ${colorScheme}`)
        }
        await page.setViewportSize(desk)
        assert.isAtMost(await widthOf(page), desk.width, path)
        assert.deepStrictEqual(complaints, [], path)
      }
    }
  )

  visit(
    "Tab reaches every control in reading order, and it is visible where the focus is",
    { viewport: desk },
    async (page, url) => {
      for (const path of tried([product, "/console"], (path) => path === product)) {
        await page.goto(url + path)
        for (let stop = 0, places = 1; stop < Math.min(places, 40); stop++) {
          await page.keyboard.press("Tab")
          const at = await askPage<{ place: number; places: number; outline: number }>(page, "focusStop")
          places = at.places
          assert.strictEqual(at.place, stop, path)
          assert.isAtLeast(at.outline, 2, path)
          assert.isAbove(places, 10, path)
        }
      }
    }
  )

  visit(
    "every page begins near the top, in five sizes of text at most and with controls of one height, on a phone and on a desk",
    { viewport: phone },
    seesFrames,
    !isFull
  )

  visit("of twenty-four games the keyboard reaches another in one row", { viewport: phone }, goesToAnotherGame, !isFull)

  visit(
    "the skip link skips the header, and / goes to the search field",
    { viewport: desk },
    async (page, url) => {
      await page.goto(url)
      const focused = () => page.evaluate<string>("document.activeElement.id")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      assert.strictEqual(await focused(), "main")
      await page.keyboard.press("/")
      assert.strictEqual(await focused(), "find")
      await page.keyboard.type("白虎/")
      await page.keyboard.press("Enter")
      await page.waitForURL("**/search?**")
      assert.include((await page.textContent("main")) ?? "", "No product has “白虎/”")
    },
    !isFull
  )

  visit(
    "the search field offers products and sets while somebody types: arrows choose, Escape closes, Enter opens",
    { viewport: phone },
    async (page, url, complaints) => {
      const field = page.locator("#find[role=combobox]")
      const offers = page.locator("#found [role=option]")
      const opened = async (place: string) => {
        await page.keyboard.press("Enter")
        await page.waitForURL(`**${place}`)
      }
      await page.goto(url)
      await page.press("body", "/")
      await field.waitFor()
      await page.keyboard.type("hound")
      await offers.nth(8).waitFor()
      assert.strictEqual(await offers.count(), 9)
      assert.isAtMost(await widthOf(page), 360)
      assert.deepStrictEqual(await askPage(page, "faintTexts"), [])
      await page.keyboard.press("ArrowDown")
      const active = await field.getAttribute("aria-activedescendant")
      assert.strictEqual(active, await page.locator("#found [aria-selected=true]").getAttribute("id"))
      await page.keyboard.press("Escape")
      assert.strictEqual(await field.getAttribute("aria-expanded"), "false")
      assert.strictEqual(await field.inputValue(), "hound")
      await page.keyboard.press("ArrowUp")
      await offers.nth(8).waitFor()
      await page.keyboard.press("ArrowUp")
      await opened("/search?q=hound")
      await page.fill("#find", "白龍")
      await offers.first().waitFor()
      await page.keyboard.press("ArrowDown")
      await opened(`${game}/products/2`)
      // A set by its code comes before products.
      await page.goto(url)
      await page.press("body", "/")
      await page.keyboard.type("m71")
      await page.locator("#found", { hasText: "M71 · set" }).waitFor()
      assert.include((await offers.first().textContent()) ?? "", "Marsh <71>")
      await page.keyboard.press("ArrowDown")
      await opened(`${game}/expansions/71`)
      assert.deepStrictEqual(complaints, [])
    }
  )

  visit(
    "price charts have the colours of the light and of the dark scheme, and begin in the first 300 pixels of a product",
    { viewport: desk, colorScheme: "light" },
    async (page, url) => {
      const bottom = (part: string) =>
        page.evaluate<number>(
          `document.querySelector("${part}").getBoundingClientRect().bottom - document.querySelector("main").getBoundingClientRect().top`
        )
      const drawn = () =>
        askPage<ReadonlyArray<{ lines: number; width: number; colours: ReadonlyArray<string> }>>(page, "drawnCharts")
      await page.goto(url + product)
      for (const part of [".board", "svg.lines"]) assert.isAtMost(await bottom(part), 300, part)
      const charts = await drawn()
      assert.deepStrictEqual(
        charts.map(({ lines }) => lines),
        [2, 1, 1, 1]
      )
      assert.isAbove(Math.min(...charts.map(({ width }) => width)), 300)
      // --edit and --price of the style sheet: the first two lines
      assert.deepStrictEqual(charts[0]?.colours, ["rgb(47, 100, 163)", "rgb(168, 98, 15)"])
      await page.emulateMedia({ colorScheme: "dark" })
      assert.deepStrictEqual((await drawn())[0]?.colours, ["rgb(127, 176, 234)", "rgb(224, 163, 82)"])
      await page.setViewportSize(phone)
      await page.goto(url + product)
      for (const part of [".board", "svg.lines"]) assert.isAtMost(await bottom(part), 300, `${part}, on a phone`)
    },
    !isFull
  )

  visit(
    "the pointer shows in the legend what held on a day; away from the chart are the last values",
    { viewport: desk },
    async (page, url) => {
      await page.goto(url + product)
      const legend = async () => (await page.locator(".legend li b").allTextContents()).slice(0, 2)
      assert.deepStrictEqual(await legend(), ["€17.00", "€40.00"])
      assert.isFalse(await page.locator("details.values table").first().isVisible())
      const { x, y, width, height } = (await page.locator("svg.lines").first().boundingBox()) ?? assert.fail()
      // The fourth of eight days, on which Foil had no price.
      await page.mouse.move(x + (width * 3.2) / 7, y + height / 2)
      assert.deepStrictEqual(await legend(), ["€13.00", "–"])
      assert.include((await page.locator("figcaption").first().textContent()) ?? "", "2026-05-04")
      await page.mouse.move(0, 0)
      assert.deepStrictEqual(await legend(), ["€17.00", "€40.00"])
    },
    !isFull
  )

  visit(
    "search, forms, lists and tables work without scripts",
    { viewport: desk, javaScriptEnabled: false },
    async (page, url) => {
      await page.goto(url)
      await page.fill("#find", "白龍")
      await page.press("#find", "Enter")
      await page.click("main td a >> text=青眼の白龍")
      assert.include(page.url(), `${game}/products/2`)
      await page.goto(`${url}${game}/movers`)
      await page.click("a:text('30 d')")
      assert.strictEqual((await page.textContent("th[aria-sort=descending]"))?.trim(), "change")
      await page.click(".fold > summary")
      await page.fill("input[name=min-price]", "3")
      await page.selectOption("select[name=by]", "percent")
      await page.click("form.choose button")
      assert.match(page.url(), /days=30&.*by=percent.*min-price=3/)
      assert.include((await page.textContent(".fold > summary")) ?? "", "sort by percent, min. price 3")
      await page.click("a:text-is('Gainers in EUR')")
      await page.click("th a:text('name')")
      assert.strictEqual((await page.textContent("th[aria-sort=ascending]"))?.trim(), "name")
      await page.goto(url + product)
      assert.isTrue(await page.locator("[data-chart] table").first().isVisible())
    }
  )

  visit(
    "a query of the schema's names runs with Ctrl+Enter and is an address then, which runs elsewhere at the button alone; its rows come as a file",
    { viewport: desk },
    async (page, url, complaints) => {
      await page.goto(`${url}/console`)
      await page.fill("#sql", "select product_id,  from products where product_id = 2")
      await page.evaluate("document.getElementById('sql').setSelectionRange(19, 19)")
      await page.click(".schema li:has([data-insert=products]) summary")
      await page.click(".schema li:has([data-insert=products]) .columns [data-insert=name]")
      assert.strictEqual(await page.inputValue("#sql"), "select product_id, name from products where product_id = 2")
      await page.press("#sql", "Control+Enter")
      await page.waitForSelector("#result")
      assert.include((await page.textContent("table")) ?? "", "青眼の白龍")
      const [file] = await Promise.all([page.waitForEvent("download"), page.click("a:text-is('CSV')")])
      assert.strictEqual(file.suggestedFilename(), "result.csv")
      assert.strictEqual(readFileSync(await file.path(), "utf8"), "product_id,name\r\n2,青眼の白龍\r\n")

      const address = page.url()
      const waits = async () => {
        await page.waitForSelector("text=has not run yet")
        assert.strictEqual(await page.locator("#result").count(), 0)
        assert.include(await page.inputValue("#sql"), "where product_id = 2")
      }
      await page.goto(address)
      await waits()
      await page.goto("about:blank")
      await page.setContent(`<a href="${address}">A mail</a>`)
      await page.click("a")
      await waits()
      await page.click("button:text-is('Run')")
      await page.waitForSelector("#result")
      assert.strictEqual(page.url(), address)

      await page.fill("#sql", `select '${"x".repeat(9000)}' as letters`)
      await page.press("#sql", "Control+Enter")
      await page.waitForSelector("text=too long for an address")
      assert.strictEqual(page.url(), `${url}/console`)
      assert.deepStrictEqual(complaints, [])
    }
  )

  visit(
    "a query runs under an allowed name over plain http, and under no other",
    { viewport: desk },
    async (page, url) => {
      const { port } = new URL(url)
      await page.goto(`http://lake.example:${port}/console`)
      await page.fill("#sql", "select name from products where product_id = 2")
      await page.press("#sql", "Control+Enter")
      await page.waitForSelector("#result")
      assert.include((await page.textContent("table")) ?? "", "青眼の白龍")
      assert.strictEqual((await page.goto(`http://evil.example:${port}/console`))?.status(), 403)
    },
    !isFull
  )
})
