import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { HttpServerResponse } from "effect/http"

const own = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8")
const uplot = (name: string): string => readFileSync(fileURLToPath(import.meta.resolve(`uplot/dist/${name}`)), "utf8")
/** The release notes and these pages look alike. */
const colours = readFileSync(new URL("../diff/notesColours.css", import.meta.url), "utf8")

/** Every file that a page may load, by its address. */
const files: Readonly<Record<string, readonly [type: string, read: () => string]>> = {
  "/assets/explorer.css": [
    "text/css",
    () => [colours, ...["frame.css", "tables.css", "charts.css"].map(own), uplot("uPlot.min.css")].join("\n")
  ],
  "/assets/explorer.js": ["text/javascript", () => own("explorer.js")],
  "/assets/charts.js": ["text/javascript", () => own("charts.js")],
  "/assets/uplot.js": ["text/javascript", () => uplot("uPlot.esm.js")],
  "/assets/icon.svg": ["image/svg+xml", () => own("icon.svg")]
}

const answers = new Map<string, HttpServerResponse.HttpServerResponse>()

/** The file at an address; null = there is none. */
export const assetAt = (path: string): HttpServerResponse.HttpServerResponse | null => {
  const file = files[path]
  if (file === undefined || !Object.hasOwn(files, path)) return null
  const kept = answers.get(path)
  if (kept !== undefined) return kept
  const [type, read] = file
  const answer = HttpServerResponse.text(read(), {
    contentType: `${type}; charset=utf-8`,
    headers: { "cache-control": "max-age=300" }
  })
  answers.set(path, answer)
  return answer
}
