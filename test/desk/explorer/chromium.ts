import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { root } from "../../pipelines/cli.ts"

/** The Chromium that npm installs, for Linux on x64. It is packed: the first use unpacks it beside the packages. */
const fromNpm = (): string | null => {
  if (process.platform !== "linux" || process.arch !== "x64") return null
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium")
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(dirname(entry), "../package.json"), "utf8")
  )
  const folder = join(root, "node_modules/.cache/chromium", version)
  if (existsSync(folder)) return folder
  const part = `${folder}.${process.pid}`
  mkdirSync(part, { recursive: true })
  const pack = JSON.stringify(join(dirname(entry), "../bin"))
  const code = `import { inflate } from ${JSON.stringify(entry)}
    for (const name of ["chromium.br", "fonts.tar.br", "al2023.tar.br"]) await inflate(${pack} + "/" + name)`
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { env: { ...process.env, TMPDIR: part } })
  // The package's own settings look for fonts in fixed places.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`
  writeFileSync(join(part, "fonts/fonts.conf"), fonts)
  // Another process may have been faster: then its folder is there.
  if (existsSync(folder)) rmSync(part, { recursive: true })
  else renameSync(part, folder)
  return folder
}

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const unpacked = fromNpm()
const executablePath = unpacked === null ? places.find((place) => existsSync(place)) : join(unpacked, "chromium")

/** Why browser tests are skipped; null = they are not. */
export const noChromium =
  executablePath === undefined ? `There is no Chromium for ${process.platform} (${places.join(", ")})` : null
if (noChromium !== null && process.env["CI"] !== undefined) throw new Error(noChromium)

/** The fonts and libraries that come with it, as a machine may have none. */
const environment: Record<string, string> =
  unpacked === null
    ? {}
    : { FONTCONFIG_PATH: join(unpacked, "fonts"), LD_LIBRARY_PATH: join(unpacked, "al2023/lib"), HOME: unpacked }

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
              executablePath: executablePath ?? "",
              env: { ...process.env, ...environment },
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

/** Calls a function of `inBrowser/` in the page. */
export const askPage = <A>(page: Page, name: "faintTexts" | "drawnCharts" | "focusStop" | "frameOf"): Promise<A> => {
  const text = readFileSync(new URL(`inBrowser/${name}.js`, import.meta.url), "utf8")
  return page.evaluate<A>(`(${text.slice(text.indexOf("() =>"))})()`)
}
