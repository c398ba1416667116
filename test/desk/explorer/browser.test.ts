import { Pages } from "./explored.ts"
import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { gameId } from "../../store/lake/invented.ts"
import { askPage, Chromium, goTo, noChromium, openPage } from "./chromium.ts"
import { everyPage, ownInvented } from "./exploredInvented.ts"
import { goesToAnotherGame, seesFrames } from "./seesFrames.ts"
import { seesOwnCards } from "./seesOwnCards.ts"
import { sendsAQuery } from "./sendsAQuery.ts"
import { typesASearch } from "./typesASearch.ts"
import { usesNoScripts } from "./usesNoScripts.ts"
import { isFull, tried } from "../../tried.ts"

const game = `/games/${gameId}`
const product = `${game}/products/1`
const phone = { width: 360, height: 740 }
/** A page of each look; the others differ in what they list. */
const looks = everyPage.filter((path) => !/rate=|kind=|show=|nowhere/.test(path))
const desk = { width: 1280, height: 900 }

if (noChromium !== null) console.warn(`${noChromium}: the browser tests of the pages are skipped`)

suite(Layer.merge(ownInvented, Chromium.layer), "in Chromium", (it) => {
  it.skipIf(noChromium !== null)(
    "no page reports an error, scrolls sideways, or has text with a contrast below 4.5, light or dark",
    function* () {
      const { url } = yield* Pages
      const { complaints, page } = yield* openPage({ viewport: phone, colorScheme: "dark" })
      yield* Effect.promise(async () => {
        for (const path of tried(looks, (_, index) => index % 3 === 0)) {
          await page.setViewportSize(phone)
          await goTo(page, url + path)
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), phone.width, path)
          assert.notStrictEqual(await page.title(), "taken")
          assert.strictEqual(await page.locator("h1").count(), 1, path)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            assert.deepStrictEqual(await askPage(page, "faintTexts"), [], `${path}, ${colorScheme}`)
          }
          await page.setViewportSize(desk)
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), desk.width, path)
          assert.deepStrictEqual(complaints, [], path)
        }
      })
    }
  )

  it.skipIf(noChromium !== null)(
    "Tab reaches every control in reading order, and it is visible where the focus is",
    function* () {
      const { url } = yield* Pages
      const { page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(async () => {
        for (const path of [product, "/console"]) {
          await goTo(page, url + path)
          for (let stop = 0, places = 1; stop < Math.min(places, 40); stop++) {
            await page.keyboard.press("Tab")
            const at = await askPage<{ place: number; places: number; outline: number }>(page, "focusStop")
            places = at.places
            assert.strictEqual(at.place, stop, path)
            assert.isAtLeast(at.outline, 2, path)
            assert.isAbove(places, 10, path)
          }
        }
      })
    }
  )

  it.skipIf(noChromium !== null || !isFull)(
    "every page begins near the top, in five sizes of text at most and with controls of one height, on a phone and on a desk",
    function* () {
      const { url } = yield* Pages
      const { page } = yield* openPage({ viewport: phone })
      yield* Effect.promise(() => seesFrames(page, url))
    }
  )

  it.skipIf(noChromium !== null)("of twenty-four games the keyboard reaches another in one row", function* () {
    const { url } = yield* Pages
    const { page } = yield* openPage({ viewport: phone })
    yield* Effect.promise(() => goesToAnotherGame(page, url))
  })

  it.skipIf(noChromium !== null)("the skip link skips the header, and / goes to the search field", function* () {
    const { url } = yield* Pages
    const { page } = yield* openPage({ viewport: desk })
    yield* Effect.promise(async () => {
      await goTo(page, url)
      const focused = () => page.evaluate<string>("document.activeElement.id")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      assert.strictEqual(await focused(), "main")
      await page.keyboard.press("/")
      assert.strictEqual(await focused(), "find")
      await page.keyboard.type("白虎/")
      await page.keyboard.press("Enter")
      await page.waitForURL("**/search?**")
      assert.include((await page.textContent("main")) ?? "", "Nothing has “白虎/”")
    })
  })

  it.skipIf(noChromium !== null)(
    "the search field offers products while somebody types: arrows choose, Escape closes, Enter opens",
    function* () {
      const { url } = yield* Pages
      const { complaints, page } = yield* openPage({ viewport: phone })
      yield* Effect.promise(() => typesASearch(page, url))
      assert.deepStrictEqual(complaints, [])
    }
  )

  it.skipIf(noChromium !== null)("price charts have the colours of the light and of the dark scheme", function* () {
    const { url } = yield* Pages
    const { page } = yield* openPage({ viewport: desk, colorScheme: "light" })
    const drawn = () =>
      askPage<ReadonlyArray<{ lines: number; width: number; colours: ReadonlyArray<string> }>>(page, "drawnCharts")
    yield* Effect.promise(async () => {
      await goTo(page, url + product)
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
    })
  })

  it.skipIf(noChromium !== null)(
    "prices, their changes and the chart are in the first 300 pixels of a product, on a desk and on a phone",
    function* () {
      const { url } = yield* Pages
      const { page } = yield* openPage({ viewport: desk })
      const bottom = (part: string) =>
        page.evaluate<number>(
          `document.querySelector("${part}").getBoundingClientRect().bottom - document.querySelector("main").getBoundingClientRect().top`
        )
      yield* Effect.promise(async () => {
        for (const viewport of [desk, phone]) {
          await page.setViewportSize(viewport)
          await goTo(page, url + product)
          assert.isAtMost(await bottom(".board"), 300)
          assert.isAtMost(await bottom("svg.lines"), 300, `${viewport.width}`)
        }
      })
    }
  )

  it.skipIf(noChromium !== null)(
    "the pointer shows in the legend what held on a day; away from the chart are the last values",
    function* () {
      const { url } = yield* Pages
      const { page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(async () => {
        await goTo(page, url + product)
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
      })
    }
  )

  it.skipIf(noChromium !== null)("search, forms, lists and tables work without scripts", function* () {
    const { url } = yield* Pages
    const { page } = yield* openPage({ viewport: desk, javaScriptEnabled: false })
    yield* Effect.promise(() => usesNoScripts(page, url))
  })

  it.skipIf(noChromium !== null)(
    "a query runs with Ctrl+Enter and is an address then, which runs elsewhere at the button alone; its rows come as a file",
    function* () {
      const { url } = yield* Pages
      const { complaints, page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(() => sendsAQuery(page, url))
      assert.deepStrictEqual(complaints, [])
    }
  )

  it.skipIf(noChromium !== null)(
    "a query runs under an allowed name over plain http, and under no other",
    function* () {
      const { url } = yield* Pages
      const { port } = new URL(url)
      const { page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(async () => {
        await page.goto(`http://lake.example:${port}/console`)
        await page.fill("#sql", "select name from products where product_id = 2")
        await page.press("#sql", "Control+Enter")
        await page.waitForSelector("#result")
        assert.include((await page.textContent("table")) ?? "", "青眼の白龍")
        assert.strictEqual((await page.goto(`http://evil.example:${port}/console`))?.status(), 403)
      })
    }
  )

  it.skipIf(noChromium !== null)(
    "one's own cards fit a phone: nothing scrolls sideways, and price, bounds, source and collection are in sight",
    function* () {
      const { root, url } = yield* Pages
      const { page } = yield* openPage({ viewport: phone })
      yield* Effect.promise(() => seesOwnCards(page, url, root))
    }
  )
})
