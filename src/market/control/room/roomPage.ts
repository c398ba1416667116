import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"

/** Nothing from elsewhere. Script and styles come as files of this server. */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache"
}

const file = (path: `/${string}`, name: string, type: string) => {
  const text = readFileSync(new URL(name, import.meta.url), "utf8")
  return HttpRouter.add("GET", path, HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8`, headers }))
}

/** `GET /sandbox`: a page that shows the market and asks the control routes for every step. Without a key. */
export const roomPage = Layer.mergeAll(
  file("/sandbox", "room.html", "text/html"),
  file("/sandbox/room.css", "room.css", "text/css"),
  file("/sandbox/room.js", "room.js", "text/javascript")
)
