import type { HttpServerRequest } from "effect/http"

/** True if an `Origin` is this server, whose `Host` was validated. A proxy in front of it may use https. */
const isOwn = (origin: string, host: string): boolean => {
  const page = URL.parse(origin)
  if (page === null || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  return page.host === URL.parse(`${page.protocol}//${host}`)?.host
}

/**
 * Who sent a request, as far as a browser tells: a page of this server, one of another site (another port is another
 * site), or neither: a program, or a person who typed the address.
 */
export const classifySender = ({
  headers
}: HttpServerRequest.HttpServerRequest): "own page" | "other page" | "no page" => {
  const { host = "", origin, "sec-fetch-site": site } = headers
  if (site !== undefined && site !== "same-origin" && site !== "none") return "other page"
  // The form of a page that sends no referrer has the origin `null`, but the browser says `same-origin`.
  if (origin === undefined || (origin === "null" && site === "same-origin")) {
    return site === "same-origin" ? "own page" : "no page"
  }
  return isOwn(origin, host) ? "own page" : "other page"
}

/**
 * Whether a page of this server led here. Browsers say it with `Sec-Fetch-Site`, but over plain http only where the name
 * is this machine's; elsewhere the page that they come from says it, which no other site can make up.
 */
export const isLedHere = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const { host = "", referer, "sec-fetch-site": site } = headers
  if (site !== undefined) return site === "same-origin"
  const origin = referer === undefined ? undefined : URL.parse(referer)?.origin
  return origin !== undefined && isOwn(origin, host)
}
