import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { layout } from "../../../src/desk/explorer/layout.ts"
import { html } from "../../../src/desk/pages/html.ts"
import { gameId } from "../../store/lake/invented.ts"
import { askPage } from "./chromium.ts"

interface Seen {
  readonly title: number
  readonly content: number | null
  readonly width: number
  readonly sizes: ReadonlyArray<string>
  readonly heights: ReadonlyArray<number>
  readonly nameless: ReadonlyArray<string>
  readonly openForms: number
}

const frameOf = (page: Page) => askPage<Seen>(page, "frameOf")

const game = `/games/${gameId}`

/** Pages of every kind. */
const kinds = [
  "/",
  "/search?q=a",
  "/console",
  `${game}/products/2`,
  `${game}/expansions`,
  `${game}/expansions/71`,
  `${game}/movers?kind=card`,
  `${game}/spreads?kind=pairs`,
  `${game}/diff`,
  `${game}/diff?show=changes`,
  `${game}/refusals`,
  `${game}/audit`
]

/** Pages whose head explains them in more than a line. */
const hasLongHead = /console|audit|spreads/

/** On a phone and on a desk: the page begins near the top, in few sizes, with controls of one height. */
export const seesFrames = async (page: Page, url: string): Promise<void> => {
  for (const path of kinds) {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(url + path)
    assert.strictEqual((await frameOf(page)).openForms, 0, path)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      const { content, heights, nameless, sizes, title, width: seen } = await frameOf(page)
      const at = `${path}, ${width}`
      assert.isAtMost(title, width === 360 ? 100 : 130, at)
      if (!hasLongHead.test(path)) assert.isAtMost(content ?? 0, width === 360 ? 150 : 200, at)
      assert.isAtMost(seen, width, at)
      assert.isAtMost(sizes.length, 5, `${at}: ${sizes.join(" ")}`)
      assert.strictEqual(heights.length, 1, `${at}: ${heights.join(" ")}`)
      assert.deepStrictEqual(nameless, [], at)
    }
  }
  // Filters that are in use are open where there is room.
  await page.goto(`${url}${game}/movers?kind=card`)
  assert.strictEqual((await frameOf(page)).openForms, 1)
  assert.match((await page.textContent(".fold > summary")) ?? "", /kind cards, min. price 1/)
}

/** Twenty-four games take one row, and the keyboard reaches search, games and content in this order. */
export const goesToAnotherGame = async (page: Page, url: string): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 })
  const games = Array.from({ length: 24 }, (_, index) => ({ gameId: `game-${index}`, name: `The long game ${index}` }))
  const body = html`<div class="head"><h1>Movers</h1></div>
    <p><a href="/" id="content">What moved</a></p>`
  const path = "/games/game-3/movers"
  const document = layout({ copy: null, hasOwn: true, title: "Movers", body, path, games, game: games[3] ?? null })
  await page.route(url + path, (route) => route.fulfill({ contentType: "text/html", body: document }))
  await page.goto(url + path)
  assert.isAtMost((await frameOf(page)).content ?? 999, 150)
  const stops: Array<string> = []
  // The search field, a link, or what a link is in.
  const focused =
    "document.activeElement.id || document.activeElement.closest('[aria-label]')?.ariaLabel || document.activeElement.textContent.trim()"
  while (stops.length < 20 && stops.at(-1) !== "content") {
    await page.keyboard.press("Tab")
    stops.push(await page.evaluate<string>(focused))
  }
  assert.deepStrictEqual(
    stops.filter((stop, place) => stop !== stops[place - 1]),
    ["Skip to content", "Cardlake", "Pages of all games", "find", "The long game 3", "Sections", "content"]
  )
  const menu = page.locator("details.games summary")
  await menu.press("Enter")
  await page.keyboard.press("Tab")
  assert.strictEqual(await page.getAttribute(":focus", "href"), "/games/game-0/movers")
  assert.isAtMost((await frameOf(page)).width, 360)
  await page.keyboard.press("Escape")
  assert.isFalse(await page.locator("details.games nav").isVisible())
}
