import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { gameId } from "../../store/lake/invented.ts"

const game = `/games/${gameId}`

/** Somebody whose browser runs no scripts searches, chooses movers, sorts them, and reads a chart's table. */
export const usesNoScripts = async (page: Page, url: string): Promise<void> => {
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
  assert.include((await page.textContent(".fold > summary")) ?? "", "greatest by percent, price at least 3")
  await page.click("a:text-is('Gains')")
  await page.click("th a:text('name')")
  assert.strictEqual((await page.textContent("th[aria-sort=ascending]"))?.trim(), "name")
  await page.goto(`${url}${game}/products/1`)
  assert.isTrue(await page.locator("[data-chart] table").first().isVisible())
}
