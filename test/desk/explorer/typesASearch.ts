import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { gameId } from "../../store/lake/invented.ts"
import { askPage, goTo } from "./chromium.ts"

/** Somebody types `hound` on a phone, looks through what is offered, and opens it; then a name in another script, and a set. */
export const typesASearch = async (page: Page, url: string): Promise<void> => {
  await goTo(page, url)
  await page.press("body", "/")
  const field = page.locator("#find[role=combobox]")
  await field.waitFor()
  const offers = page.locator("#found [role=option]")
  await page.keyboard.type("hound")
  await offers.nth(8).waitFor()
  assert.strictEqual(await offers.count(), 9)
  assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), 360)
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
  await page.keyboard.press("Enter")
  await page.waitForURL("**/search?q=hound")
  await page.fill("#find", "白龍")
  await offers.first().waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await page.waitForURL(`**/games/${gameId}/products/2`)
  // A set by its code comes before products.
  await goTo(page, url)
  await page.press("body", "/")
  await page.keyboard.type("m71")
  await page.locator("#found", { hasText: "M71 · set" }).waitFor()
  assert.include((await offers.first().textContent()) ?? "", "Marsh <71>")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("Enter")
  await page.waitForURL(`**/games/${gameId}/expansions/71`)
}
