import { ownText } from "../../feed/disk/ownText.ts"
import { HttpServerResponse } from "effect/http"
import { chartStyles, pageStyles } from "../pages/everyPage.ts"

const own = (name: string): string => ownText(new URL(`assets/${name}`, import.meta.url))

const styles = () => [
  ...pageStyles(),
  own("header.css"),
  chartStyles(),
  own("product.css"),
  own("search.css"),
  own("query.css"),
  own("pictures.css")
]

/** All files that a page may load, by address. */
const files: Readonly<Record<string, readonly [type: string, read: () => string]>> = {
  "/assets/explorer.css": ["text/css", () => styles().join("\n")],
  "/assets/explorer.js": ["text/javascript", () => own("explorer.js")],
  "/assets/search.js": ["text/javascript", () => own("search.js")],
  "/assets/query.js": ["text/javascript", () => own("query.js")],
  "/assets/charts.js": ["text/javascript", () => own("charts.js")],
  "/assets/icon.svg": ["image/svg+xml", () => own("icon.svg")]
}

/** All files that the pages of a static site load. The only script is not a module, so that any folder works. */
export const siteAssets = (): ReadonlyArray<readonly [file: string, text: string]> => [
  ["assets/explorer.css", styles().join("\n")],
  ["assets/icon.svg", own("icon.svg")],
  ["assets/explorer.js", `${own("charts.js").replaceAll("export const", "const")}\n${own("site.js")}`]
]

const answers = new Map<string, HttpServerResponse.HttpServerResponse>()

/** Returns the file at an address; null if none exists. */
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
