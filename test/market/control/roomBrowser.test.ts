import { assert, describe, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { askPage, Chromium, noChromium, openPage } from "../../desk/explorer/chromium.ts"
import { ask, Served } from "../Served.ts"
import { tried } from "../../tried.ts"
import { roomPages } from "./roomPages.ts"
import { suite } from "../../support/suite.ts"

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
const desk = { width: 1280, height: 900 }

if (noChromium !== null) console.warn(`${noChromium}: the browser tests of the control room are skipped`)

describe.skipIf(noChromium !== null)("in Chromium", () => {
  suite(Layer.merge(Served.layer({ filling, live: "last" }), Chromium.layer), "the control room", (it) => {
    it("is neither moved nor read by a page on another port of this machine", function* () {
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
        await vi.waitUntil(async () => (await page.title()).startsWith("Done"), { timeout: 60_000 })
        assert.strictEqual(await page.title(), "Done:")
      })
      assert.deepEqual(yield* market, before)
      assert.isBelow((yield* clock) - began, 3_600_000)
    })

    it("fits a phone and can be read in light and in dark colours", function* () {
      const { url } = yield* Served
      const { complaints, page } = yield* openPage({ viewport: phone })
      yield* Effect.promise(async () => {
        for (const path of tried([...roomPages, "/docs"], (_, index) => index % 6 === 0)) {
          await page.goto(url + path)
          await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            assert.deepEqual(await askPage(page, "faintTexts"), [], path)
          }
          assert.strictEqual(await page.locator("h1").count(), 1, path)
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), phone.width, path)
        }
        assert.deepEqual(complaints, [])
      })
    })

    it("Tab reaches every control in reading order, and it is visible where it is", function* () {
      const { url } = yield* Served
      const { page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/sandbox/room/faults`)
        for (let stop = 0, places = 1; stop < places; stop++) {
          await page.keyboard.press("Tab")
          const at = await askPage<{ place: number; places: number; outline: number }>(page, "focusStop")
          places = at.places
          assert.strictEqual(at.place, stop)
          assert.isAtLeast(at.outline, 2)
          assert.isAbove(places, 15)
        }
      })
    })

    it("says without scripts what it needs, and lists, filters and pages all the same", function* () {
      const { url } = yield* Served
      const { page } = yield* openPage({ viewport: desk, javaScriptEnabled: false })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/sandbox/room/orders`)
        await page.locator(".note", { hasText: "Buttons, forms and refreshing need them" }).waitFor()
        assert.strictEqual(await page.locator("#pause").isVisible(), false)
        await page.getByLabel("State").selectOption("completed")
        await page.getByRole("button", { name: "Show" }).click()
        assert.include(page.url(), "status=completed")
        await page.goto(`${url}/sandbox/room/accounts`)
        await page.getByLabel("Name").fill("nobody")
        await page.getByRole("button", { name: "Make an account" }).click()
        await page.locator("h1", { hasText: "This needs scripts" }).waitFor()
      })
      assert.notInclude(JSON.stringify((yield* ask("/sandbox/accounts")).json), "nobody")
    })

    it("shows requests and events as they come, and keeps what is open and in focus", function* () {
      const { url } = yield* Served
      const { page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(() => page.goto(`${url}/sandbox/room/events`))
      yield* Effect.promise(() => page.locator("#events summary").first().press("Enter"))
      yield* ask("/v1/games/refreshed")
      const inventory = yield* ask("/v1/inventory?limit=1", { key: "cl_sandbox_3_seller-1" })
      const line = `/v1/inventory/${inventory.json.data[0]?.id}`
      yield* ask(line, { key: "cl_sandbox_3_seller-1", method: "PATCH", body: { quantity: { set: 501 } } })
      yield* Effect.promise(async () => {
        await page.locator("#events", { hasText: "501" }).waitFor({ state: "attached" })
        assert.strictEqual(await page.locator("#events details[open]").count(), 1)
        assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "SUMMARY")
        await page.goto(`${url}/sandbox/room/requests?show=failed`)
        await page.locator("#requests", { hasText: "/v1/games/refreshed" }).waitFor()
      })
      yield* ask("/v1/games/later")
      yield* Effect.promise(async () => {
        const row = page.locator("#requests tr", { hasText: "/v1/games/later" })
        await row.locator("a").click()
        await page.locator("pre", { hasText: "GAME_NOT_FOUND" }).waitFor()
      })
    })

    it("sends any control route with what its form has, and shows the answer below it", function* () {
      const { url } = yield* Served
      const { complaints, page } = yield* openPage({ viewport: desk })
      yield* Effect.promise(async () => {
        const call = async (name: string, fill: (form: ReturnType<typeof page.locator>) => Promise<unknown>) => {
          const part = page.locator(`#call-${name}`)
          await part.locator("summary").click()
          await fill(part)
          await part.getByRole("button", { name: "Send" }).click()
          return part.locator("#message")
        }
        await page.goto(`${url}/sandbox/room/calls`)
        const made = await call("createAccount", async (form) => {
          await form.getByLabel("Username").fill("zoe")
          await form.getByLabel("Seller type").selectOption("pro")
          await form.getByLabel("Seller currency").selectOption("CHF")
          await form.getByLabel("Scopes").selectOption(["sales:read", "sales:write"])
        })
        const body = `{"username":"zoe","seller":{"type":"pro","currency":"CHF"},"scopes":["sales:read","sales:write"]}`
        await made.filter({ hasText: `POST /sandbox/accounts ${body}` }).waitFor()
        await made.filter({ hasText: "Shown once: cl_sandbox_" }).waitFor()
        const found = await call("orders", (form) => form.getByLabel("Status").selectOption("completed"))
        await found
          .filter({ hasText: "GET /sandbox/orders?status=completed" })
          .locator("pre", { hasText: "nextCursor" })
          .waitFor()
        const refused = await call("deploy", (form) => form.getByLabel("Game id").selectOption("emberfall"))
        await refused.filter({ hasText: "409 CONFLICT" }).waitFor()
        assert.deepEqual(complaints.length, 1, String(complaints))
      })
    })

    it("makes keys that are copied, and takes them back, with the keyboard alone", function* () {
      const { url } = yield* Served
      const { page } = yield* openPage({ viewport: desk, permissions: ["clipboard-read", "clipboard-write"] })
      const status = (key: string) =>
        fetch(`${url}/v1/games`, { headers: { authorization: `Bearer ${key}` } }).then((it) => it.status)
      yield* Effect.promise(async () => {
        const message = page.locator("#message")
        await page.goto(`${url}/sandbox/room/accounts`)
        const row = page.locator("#accounts tbody tr", { hasText: "buyer-1" })
        await row.getByRole("button", { name: "New key" }).press("Enter")
        await message.filter({ hasText: "Shown once: cl_sandbox_" }).waitFor()
        await message.getByRole("button", { name: "Copy" }).press("Enter")
        await message.getByRole("button", { name: "Copied" }).waitFor()
        const key = await page.evaluate<string>("navigator.clipboard.readText()")
        assert.strictEqual(await status(key), 200)
        assert.strictEqual((await page.locator("#accounts").textContent())?.includes(key), false)
        const keyCell = row.locator("div", { hasText: `…${key.slice(-4)}` })
        await keyCell.getByRole("button", { name: "Revoke" }).press("Enter")
        await message.filter({ hasText: `{"revoked":true}` }).waitFor()
        assert.strictEqual(await status(key), 401)
      })
    })
  })
})
