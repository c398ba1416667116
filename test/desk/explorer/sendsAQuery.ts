import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { goTo } from "./chromium.ts"

/** Somebody writes a query with names of the schema, sends its address, opens it from elsewhere, and takes the rows away. */
export const sendsAQuery = async (page: Page, url: string) => {
  await goTo(page, `${url}/console`)
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
}
