import { toIncomingMessage } from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"

/** `name` or `name:port`; nothing else that an address could have. */
const host = /^(?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]%*,]+)(?::\d{1,5})?$/i

/** A `Host` header's name without port and final dot, as browsers write it; undefined if it is no host. */
export const hostName = (text: string): string | undefined =>
  host.test(text) ? URL.parse(`http://${text}`)?.hostname.replace(/\.$/, "") : undefined

const loopback = ["127.0.0.1", "localhost", "[::1]"]

/** Returns every raw `Host` header. The parsed headers have only the first. */
const hostHeaders = (request: HttpServerRequest.HttpServerRequest): ReadonlyArray<string> => {
  const { rawHeaders } = toIncomingMessage(request)
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "host")
}

/**
 * Returns why a server does not answer a request: its host is neither one of the server's `own` names nor `allowed`, on
 * whatever port. It detects a site that points its name at 127.0.0.1. Null = the request is answered.
 */
export const hostFault = (allowed: ReadonlyArray<string>, own: ReadonlyArray<string> = loopback) => {
  const names = new Set([...own, ...allowed.map(hostName)])
  return (request: HttpServerRequest.HttpServerRequest): string | null => {
    const [host, ...others] = hostHeaders(request)
    if (host === undefined || others.length > 0) return "This server answers only requests with one Host"
    // An address in a proxy's form contains a host.
    const target = request.originalUrl.startsWith("/") ? [] : [URL.parse(request.originalUrl)?.host ?? ""]
    const stranger = [host, ...target].find((each) => !names.has(hostName(each) ?? ""))
    if (stranger === undefined) return null
    const name = hostName(stranger)
    return name === undefined
      ? "This server does not answer this Host: it is not a name"
      : `This server does not answer as ${name}. Ask for ${[...names][0]}, or start it with --allow-host ${name}`
  }
}
