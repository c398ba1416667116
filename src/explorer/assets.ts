import { readFileSync } from "node:fs"
import { HttpServerResponse } from "effect/http"
import { pageStyles } from "../pages/pageStyles.ts"

const text = (url: string | URL): string => readFileSync(new URL(url), "utf8")
const own = (name: string): string => text(new URL(`assets/${name}`, import.meta.url))

const styles = () => [
  pageStyles(),
  own("charts.css"),
  own("search.css"),
  text(import.meta.resolve("uplot/dist/uPlot.min.css"))
]

/** Every file that a page may load, by its address. */
const files: Readonly<Record<string, readonly [type: string, read: () => string]>> = {
  "/assets/explorer.css": ["text/css", () => styles().join("\n")],
  "/assets/explorer.js": ["text/javascript", () => own("explorer.js")],
  "/assets/search.js": ["text/javascript", () => own("search.js")],
  "/assets/charts.js": ["text/javascript", () => own("charts.js")],
  "/assets/uplot.js": ["text/javascript", () => text(import.meta.resolve("uplot/dist/uPlot.esm.js"))],
  "/assets/icon.svg": ["image/svg+xml", () => own("icon.svg")]
}

const answers = new Map<string, HttpServerResponse.HttpServerResponse>()

/** The file at an address; null = there is none. */
export const assetAt = (path: string): HttpServerResponse.HttpServerResponse | null => {
  const file = files[path]
  if (file === undefined || !Object.hasOwn(files, path)) return null
  const stored = answers.get(path)
  if (stored !== undefined) return stored
  const [type, read] = file
  const answer = HttpServerResponse.text(read(), {
    contentType: `${type}; charset=utf-8`,
    headers: { "cache-control": "max-age=300" }
  })
  answers.set(path, answer)
  return answer
}
