import { assert } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { cardlake, remove, temporaryFolder } from "../../pipelines/cli.ts"
import { askPage, goTo } from "./chromium.ts"

/** Somebody imports a binder, watches a price, and looks at both on a phone. */
export const seesOwnCards = async (page: Page, url: string, root: string): Promise<void> => {
  const folder = temporaryFolder()
  const file = join(folder, "a binder of rares.csv")
  writeFileSync(file, "product_id,finish,quantity,paid,currency\n1,Standard,77,1234.5678,EUR\n2,,1,,\n")
  for (const args of [
    ["collection", "import", file],
    ["watch", "add", "1", "--below", "1", "--above", "3000", "--percent", "20", "--days", "30"]
  ]) {
    const { code, stderr } = await cardlake([...args, "--home", root])
    assert.strictEqual(code, 0, stderr)
  }
  remove(folder)
  await goTo(page, `${url}/own`)
  const wide = await page.evaluate<ReadonlyArray<string>>(
    `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)`
  )
  assert.deepStrictEqual(wide, [])
  const watched = await page.locator("[aria-label^='Watched prices']").innerText()
  assert.match(watched, /Source EUR/)
  assert.match(watched, /below 1\s+or above 3000\s+or moved 20\s%\sin 30 days/)
  assert.match(watched, /number 1/)
  assert.match(await page.locator("[aria-label^='What each collection']").innerText(), /78 cards, /)
  assert.include(await page.locator("[aria-label^='Cards, in EUR']").innerText(), "a binder of rares")
  assert.deepStrictEqual(await askPage(page, "faintTexts"), [])
}
