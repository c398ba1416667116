import { Context, Effect, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const executablePath = places.find((place) => existsSync(place)) ?? ""

/** Why browser tests are skipped; null = they are not. */
export const noChromium = executablePath === "" ? `There is no Chromium on this machine (${places.join(", ")})` : null

/** Names that somebody points at this machine. */
const namesHere = "--host-resolver-rules=MAP *.example 127.0.0.1"

/** A browser that closes with the scope; null if there is no Chromium. */
export class Chromium extends Context.Service<Chromium, Browser | null>()("cardlake/test/Chromium") {
  static readonly layer = Layer.effect(
    Chromium,
    noChromium === null
      ? Effect.acquireRelease(
          Effect.promise(() =>
            chromium.launch({
              executablePath,
              args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", namesHere]
            })
          ),
          (browser) => Effect.promise(() => browser.close())
        )
      : Effect.succeed(null)
  )
}

/** An empty page and its complaints: errors, warnings, breached policies, requests to elsewhere. */
export const openPage = Effect.fnUntraced(function* (options: BrowserContextOptions) {
  const browser = yield* Chromium
  if (browser === null) return yield* Effect.die(noChromium)
  const context = yield* Effect.promise(() => browser.newContext(options))
  const page = yield* Effect.promise(() => context.newPage())
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) complaints.push(`asks for ${request.url()}`)
  })
  return { page, complaints }
})

/** Goes to an address and waits until its scripts have run. */
export const goTo = async (page: Page, address: string) => {
  await page.goto(address, { waitUntil: "networkidle" })
}

/** Calls a function of `inBrowser/` in the page. */
export const askPage = <A>(page: Page, name: "faintTexts" | "drawnCharts" | "focusStop" | "frameOf"): Promise<A> => {
  const text = readFileSync(new URL(`inBrowser/${name}.js`, import.meta.url), "utf8")
  return page.evaluate<A>(`(${text.slice(text.indexOf("() =>"))})()`)
}
