import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml"
}

/** A web server that knows files alone, with a site in a folder of its own. */
const serveFolder = async (folder: string) => {
  const below = "/some/place/"
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "", "http://x").pathname)
    const file = join(folder, path.slice(below.length) || "index.html")
    const isFile = path.startsWith(below) && existsSync(file) && statSync(file).isFile()
    response.writeHead(isFile ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" })
    response.end(isFile ? readFileSync(file) : "")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${below}`, stop: () => server.close() }
}

/** Every file below a folder, by its path. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

const decoded = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'")

/**
 * Serves a site and follows every link from its first page on: what answered, by its place in the site, and what did not
 * or leads elsewhere, each with the page that has it.
 */
export const crawl = async (folder: string) => {
  const { stop, url: start } = await serveFolder(folder)
  const [answered, dead] = [new Map<string, string>(), new Set<string>()]
  const waiting: Array<readonly [address: string, from: string]> = [[start, "the start"]]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [address, from] = next
    if (answered.has(address)) continue
    const [response, text] = await fetch(address).then(async (got) => [got, await got.text()] as const)
    answered.set(address, text)
    if (response.status !== 200) dead.add(`${from} → ${address}`)
    if (!/\.html$|\/$/.test(address)) continue
    for (const [, place = ""] of text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
      const to = new URL(decoded(place), address)
      if (/^(\/|[a-z]+:)/i.test(place)) dead.add(`${address} has ${place}`)
      const { hash } = to
      to.hash = ""
      if (hash !== "" && to.href === address && !text.includes(`id="${hash.slice(1)}"`))
        dead.add(`${address} has ${hash}`)
      waiting.push([to.href, address])
    }
  }
  stop()
  const pages = [...answered].map(([address, text]) => [address.slice(start.length) || "index.html", text] as const)
  return { answered: new Map(pages), dead: [...dead] }
}
