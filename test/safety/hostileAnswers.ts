import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"

/** An honest answer, before it is spoilt. */
export interface Honest {
  readonly json: {
    readonly data: ReadonlyArray<Record<string, unknown>>
    readonly pagination?: Record<string, unknown>
  }
  readonly text: string
}

export type Spoil = (response: ServerResponse, honest: Honest) => void

const send = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}, status = 200) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
}
const zipped = (response: ServerResponse, body: string) =>
  send(response, gzipSync(body, { level: 1 }), { "content-encoding": "gzip" })
const json = (response: ServerResponse, value: unknown) => zipped(response, JSON.stringify(value))

/** Adds fields to the first record. */
const withRecord =
  (more: Record<string, unknown>): Spoil =>
  (response, { json: page }) =>
    json(response, { ...page, data: page.data.map((record, index) => (index === 0 ? { ...record, ...more } : record)) })
const withPagination =
  (more: Record<string, unknown>): Spoil =>
  (response, { json: page }) =>
    json(response, { ...page, pagination: { ...page.pagination, ...more } })
const withHeaders =
  (headers: Record<string, string>): Spoil =>
  (response, { text }) =>
    send(response, text, headers)
const withText =
  (edit: (text: string) => string | Buffer): Spoil =>
  (response, { text }) =>
    send(response, edit(text))
const refusal =
  (status: number, headers: Record<string, string>, data: string): Spoil =>
  (response) =>
    send(response, `{"code":"TOO_MANY_REQUESTS","status":${status},"message":"no","data":${data}}`, headers, status)
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
const beside = (key: string, value: string) =>
  withText((text) => text.replace(/^\{/, `{${JSON.stringify(key)}:${value},`))

/** Made once: it takes a second. */
const bomb = gzipSync(Buffer.alloc(1024 * 1024 * 1024), { level: 1 })
const zeros = gzipSync(
  `{"data":[${"0,".repeat(29_999_999)}0],"pagination":{"offset":0,"limit":200,"total":1,"hasMore":false,"nextCursor":null}}`,
  { level: 1 }
)

/** Everything an endpoint may answer that is not what was asked for. */
export const spoils: Readonly<Record<string, Spoil>> = {
  "30 million zeros": (response) => send(response, zeros, { "content-encoding": "gzip" }),
  "a gigabyte of zero bytes, zipped": (response) => send(response, bomb, { "content-encoding": "gzip" }),
  "a body without end": (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    const chunk = Buffer.alloc(65_536, " ")
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on("drain", more)
    more()
  },
  "a text of 10 MB": withRecord({ name: "x".repeat(10_000_000) }),
  "an unknown key of 10 MB": withRecord({ ["x".repeat(10_000_000)]: 1 }),
  "a hundred thousand unknown keys": withRecord(
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]))
  ),
  "two hundred records of 300 KB": (response, { json: page }) =>
    json(response, {
      ...page,
      data: Array.from({ length: 200 }, () => ({ ...page.data[0], name: "y".repeat(300_000) }))
    }),
  nothing: (response) => send(response, ""),
  "an empty object": (response) => send(response, "{}"),
  null: (response) => send(response, "null"),
  "a list that is not one": (response) => send(response, '{"data":{"0":1},"pagination":{}}'),
  "records that are not records": (response, { json: page }) =>
    json(response, { ...page, data: page.data.map((_, at) => [null, 1, "x", [], {}][at % 5]) }),
  "a page of HTML": (response) =>
    send(response, "<!doctype html><title>Sign in</title>", { "content-type": "text/html" }),
  "half of the JSON": withText((text) => text.slice(0, text.length / 2)),
  "bytes that are not UTF-8": withText((text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])),
  "a byte order mark": withText((text) => `\uFEFF${text}`),
  "half a surrogate": withText((text) => text.replace(/"name":"/, String.raw`"name":"\ud800`)),
  "a NUL": withRecord({ name: "a\u0000b" }),
  "escape sequences": withRecord({ name: "\u001b[2J\u001b]52;c;aGk=\u0007" }),
  "inherited names as keys of every object": withText((text) =>
    text.replaceAll("{", '{"__proto__":{"x":1},"constructor":1,"toString":null,')
  ),
  "data twice": withText((text) => text.replace(/\}\s*$/, ',"data":[]}')),
  "a million levels beside the records": beside("x", nested(1_000_000)),
  "a million levels as pagination": beside("pagination", nested(1_000_000)),
  "a hundred thousand levels in a record": withText((text) =>
    text.replace(/"name":/, `"attributes":${nested(100_000)},"name":`)
  ),
  "a million levels as the records": withText(() => `{"data":${nested(1_000_000)}}`),
  "a total of 1e15": withPagination({ total: 1e15, hasMore: true }),
  "a total below zero": withPagination({ total: -1 }),
  "half a total": withPagination({ total: 1.5 }),
  "a total that is text": withPagination({ total: "200" }),
  "a limit of zero": withPagination({ limit: 0 }),
  "an offset of 1e308": withPagination({ offset: 1e308 }),
  "a cursor that stays the same for ever": withPagination({ nextCursor: "again" }),
  "a cursor of a megabyte": withPagination({ nextCursor: "z".repeat(1_000_000), hasMore: true }),
  "an id of 1e308": withText((text) => text.replace(/"id":("[^"]*"|\d+)/, '"id":1e308')),
  "a number of 10,000 digits": withText((text) => text.replace(/"id":("[^"]*"|\d+)/, `"id":${"9".repeat(10_000)}`)),
  "a number beyond any double": withText((text) => text.replace(/"name":/, '"cardCount":1e400,"name":')),
  "a limit of 1e-9": withHeaders({ "x-ratelimit-limit": "1e-9", "x-ratelimit-remaining": "0" }),
  "a million requests too many": withHeaders({ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "-1000000" }),
  "a hundred kilobytes of headers": withHeaders({ "x-more": "h".repeat(100_000) }),
  "an encoding that nobody asked for": withHeaders({ "content-encoding": "br" }),
  "a request id of 12 KB": withHeaders({ "x-request-id": "r".repeat(12_000) }),
  "wait for a day": refusal(429, { "retry-after": "86400" }, '{"bucket":"search","limit":60,"retryAfter":86400}'),
  "wait for 1e308 seconds": refusal(429, {}, '{"bucket":"search","limit":60,"retryAfter":1e308}'),
  "wait for less than no time": refusal(429, { "retry-after": "-5" }, '{"bucket":"search","limit":-1,"retryAfter":-5}'),
  "wait 0 s, again and again": refusal(429, { "retry-after": "0" }, '{"bucket":"search","limit":60,"retryAfter":0}'),
  "unavailable, again and again": refusal(503, { "retry-after": "0" }, "{}"),
  "a refusal that asks for another try": refusal(400, { "x-should-retry": "true" }, "{}"),
  "a refusal with data of a million levels": refusal(500, {}, nested(1_000_000)),
  "a redirect to itself": (response) => response.writeHead(302, { location: "/v1/games" }).end(),
  "status 999": (response, { text }) => send(response, text, {}, 999),
  "no content": (response) => response.writeHead(204).end(),
  "no answer": () => {},
  "a byte now and then": (response, { text }) => {
    response.writeHead(200, { "content-length": String(text.length) })
    const drip = setInterval(() => response.write(" "), 50)
    response.on("close", () => clearInterval(drip))
  },
  "a closed connection": (response) => void response.socket?.destroy(),
  "a connection closed halfway": (response, { text }) => {
    response.writeHead(200, { "content-length": String(text.length) })
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  }
}
