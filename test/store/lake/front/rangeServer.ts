import { once } from "node:events"
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"

/** A plain file server with ranges, as any web server is. */
export const served = (folder: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const path = join(folder, decodeURIComponent(request.url ?? ""))
        if (!existsSync(path)) return response.writeHead(404).end()
        // A file that is replaced meanwhile stays the same one here.
        const file = openSync(path, "r")
        const { mtimeMs, size } = fstatSync(file)
        const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? []
        const last = to === "" ? size - 1 : Math.min(Number(to), size - 1)
        const body = Buffer.alloc(last - Number(from) + 1)
        readSync(file, body, 0, body.length, Number(from))
        closeSync(file)
        const headers = {
          "content-length": body.length,
          "content-range": `bytes ${from}-${last}/${size}`,
          "accept-ranges": "bytes",
          etag: `"${size}-${mtimeMs}"`
        }
        response.writeHead(request.headers.range === undefined ? 200 : 206, headers)
        return response.end(request.method === "HEAD" ? undefined : body)
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )
