import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { askPage, Chromium, noChromium, openPage } from "../../explorer/chromium.ts"
import { ask, Served } from "../Served.ts"

/** The address of another server, which has only this page. */
const servePage = (file: URL) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer((_, answer) =>
          answer.setHeader("content-type", "text/html").end(readFileSync(file))
        )
        await once(server.listen(0, "127.0.0.1"), "listening")
        return server
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  )

const filling = { seed: 3, accounts: 6, orders: 12 }
const phone = { width: 360, height: 740 }

if (noChromium !== null) console.warn(`${noChromium}: the browser tests of the control room are skipped`)

layer(Layer.merge(Served.layer({ filling, live: "last" }), Chromium.layer), {
  excludeTestServices: true,
  timeout: 60_000
})("the control room", (it) => {
  it.effect("is served without a key, and may load nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      for (const [path, type] of [
        ["/sandbox", "text/html"],
        ["/sandbox/room.js", "text/javascript"],
        ["/sandbox/room.css", "text/css"]
      ] as const) {
        const answer = yield* Effect.promise(() => fetch(url + path))
        assert.strictEqual(answer.status, 200)
        assert.include(answer.headers.get("content-type"), type)
        assert.include(answer.headers.get("content-security-policy"), "default-src 'none'")
      }
    })
  )

  it.effect("has the tables as JSON, without hashes and secrets", () =>
    Effect.gen(function* () {
      const tables = (yield* ask("/sandbox/tables")).json.data as unknown as ReadonlyArray<{
        name: string
        rows: number
      }>
      assert.deepInclude(tables, { name: "orders", rows: 12 })
      assert.deepInclude(tables, { name: "accounts", rows: 7 })
      for (const { name } of tables) {
        const { json } = yield* ask(`/sandbox/tables/${name}`)
        const { columns, rows } = json as unknown as { columns: ReadonlyArray<string>; rows: ReadonlyArray<unknown> }
        assert.isFalse(
          columns.some((column) => /hash|secret/.test(column)),
          name
        )
        assert.isAtMost(rows.length, 100)
      }
      const { json, status } = yield* ask("/sandbox/tables/sqlite_schema")
      assert.deepStrictEqual([status, json.code], [404, "NOT_FOUND"])
    })
  )

  it.effect.skipIf(noChromium !== null)("shows the market, and has buttons for orders, time and keys", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      const { complaints, page } = yield* openPage({ viewport: { width: 1280, height: 900 } })
      yield* Effect.promise(async () => {
        const message = page.locator("#message")
        await page.goto(`${url}/sandbox`)
        await page.locator("#orders tbody tr").first().waitFor()
        assert.strictEqual(await page.locator("#orders tbody tr").count(), 12)
        assert.strictEqual(await page.locator("#accounts tbody tr").count(), 7)

        const open = page.locator("#orders tbody tr", { hasText: "pending shipment" }).first()
        const order = await open.locator("td").first().textContent()
        const row = page.locator("#orders tbody tr", { hasText: order ?? "" })
        await open.getByRole("button", { name: "shipped" }).click()
        await message.filter({ hasText: `${order} is shipped` }).waitFor()
        await row.getByRole("button", { name: "delivered" }).click()
        await message.filter({ hasText: `${order} is delivered` }).waitFor()
        assert.deepStrictEqual(await row.getByRole("button").allTextContents(), ["completed", "dispute open"])

        const before = Date.parse((await page.locator("#clock time").textContent()) ?? "")
        await page.getByRole("button", { name: "1 day later" }).click()
        await message.filter({ hasText: "It is 20" }).waitFor()
        const after = Date.parse((await page.locator("#clock time").textContent()) ?? "")
        assert.isTrue(after - before >= 86_400_000 && after - before < 86_460_000)

        await page
          .locator("#accounts tbody tr", { hasText: "buyer-1" })
          .getByRole("button", { name: "new key" })
          .click()
        await message.filter({ hasText: "shown once: cl_sandbox_" }).waitFor()
        const key = / (cl_sandbox_\w+)$/.exec((await message.textContent()) ?? "")?.[1] ?? ""
        const status = () =>
          fetch(`${url}/v1/games`, { headers: { authorization: `Bearer ${key}` } }).then((it) => it.status)
        assert.strictEqual(await status(), 200)
        const keyRow = page.locator("#keys tbody tr", { hasText: `…${key.slice(-4)}` })
        await keyRow.getByRole("button", { name: "revoke" }).click()
        await message.filter({ hasText: "is revoked" }).waitFor()
        assert.strictEqual(await status(), 401)

        await page.getByRole("button", { name: /^order_items / }).click()
        await page.locator("#table th", { hasText: "product_name" }).waitFor()
        // The service refuses to ship a tracked parcel (409), so the page ships it as the seller.
        assert.deepStrictEqual(
          complaints.filter((each) => !each.includes("409")),
          []
        )
      })
    })
  )

  it.effect.skipIf(noChromium !== null)("shows deliveries with their attempts, and replays them", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      const owned = (yield* ask("/sandbox/accounts")).json.data as unknown as ReadonlyArray<{
        id: string
        username: string
      }>
      const owner = owned.find(({ username }) => username === "seller-1")
      yield* ask("/sandbox/webhooks", { body: { accountId: owner?.id, url: "http://127.0.0.1:1/gone" } })
      const key = "cl_sandbox_3_seller-1"
      const { json } = yield* ask("/v1/inventory?limit=1", { key })
      yield* ask(`/v1/inventory/${json.data[0]?.id}`, { key, method: "PATCH", body: { quantity: { set: 77 } } })
      const { page } = yield* openPage({ viewport: { width: 1280, height: 900 } })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/sandbox`)
        const row = page.locator("#deliveries tbody tr", { hasText: "inventory.quantity.changed" }).first()
        await row.waitFor()
        await page.getByRole("button", { name: "1 hour later" }).click()
        await page.locator("#message", { hasText: "It is 20" }).waitFor()
        const attempts = row.locator("td").nth(4).locator("div > div")
        assert.isAtLeast(await attempts.count(), 2)
        await row.getByRole("button", { name: "replay" }).click()
        await page.locator("#message", { hasText: /is sent again|CONFLICT/ }).waitFor()
      })
    })
  )

  it.effect.skipIf(noChromium !== null)("is neither moved nor read by a page on another port of this machine", () =>
    Effect.gen(function* () {
      const { games, url } = yield* Served
      const address = yield* servePage(new URL("hostilePage.html", import.meta.url))
      const market = Effect.gen(function* () {
        return [(yield* ask("/sandbox/tables")).json.data, yield* games]
      })
      const clock = Effect.map(ask("/sandbox/clock"), ({ json }) =>
        Date.parse((json as unknown as { now: string }).now)
      )
      const before = yield* market
      const began = yield* clock
      const { page } = yield* openPage({})
      yield* Effect.promise(async () => {
        await page.goto(`${address}?target=${url}`)
        await page.waitForFunction("document.title.startsWith('Done')")
        assert.strictEqual(await page.title(), "Done:")
      })
      assert.deepStrictEqual(yield* market, before)
      assert.isBelow((yield* clock) - began, 3_600_000)
    })
  )

  it.effect.skipIf(noChromium !== null)("fits a phone and can be read in light and in dark colours", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      const { complaints, page } = yield* openPage({ viewport: phone })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/sandbox`)
        await page.locator("#keys tbody tr").first().waitFor()
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          assert.deepStrictEqual(await askPage(page, "faintTexts"), [])
        }
        assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), phone.width)
        assert.deepStrictEqual(complaints, [])
      })
    })
  )
})
