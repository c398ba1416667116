import { assert, layer, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { askPage, Chromium, noChromium, openPage } from "../../desk/explorer/chromium.ts"
import { ask, Served } from "../Served.ts"
import { roomPages } from "./roomPages.ts"

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

layer(Layer.merge(Served.layer({ filling, live: "last" }), Chromium.layer), {
  excludeTestServices: true,
  timeout: 60_000
})("the pages of the control room", (it) => {
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
        await vi.waitUntil(async () => (await page.title()).startsWith("Done"), { timeout: 60_000 })
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
        for (const path of [...roomPages, "/docs"]) {
          await page.goto(url + path)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme })
            assert.deepStrictEqual(await askPage(page, "faintTexts"), [], path)
          }
          assert.strictEqual(await page.locator("h1").count(), 1, path)
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), phone.width, path)
        }
        assert.deepStrictEqual(complaints, [])
      })
    })
  )

  it.effect.skipIf(noChromium !== null)(
    "Tab reaches every control in reading order, and it is visible where it is",
    () =>
      Effect.gen(function* () {
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
  )

  it.effect.skipIf(noChromium !== null)(
    "says without scripts what it needs, and lists, filters and pages all the same",
    () =>
      Effect.gen(function* () {
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
  )
})
