import { Effect } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** A request that passes, and the answer to it as text. */
export interface Exchange {
  readonly path: string
  readonly asked: string
  readonly answer: string
}

const listening = async (server: Server) => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const headersKept = ["content-type", "x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining"]

/** Which requests a proxy does not pass on as they come: why it refuses one itself, and the method that it sends. */
interface Otherwise {
  readonly refusal: (path: string) => string | null
  readonly method: (path: string) => string | null
}

/** A server in front of the marketplace that may change or delay every answer. */
export const startProxy = async (
  marketplace: string,
  change: (exchange: Exchange) => string | Promise<string>,
  otherwise: Otherwise = { refusal: () => null, method: () => null }
) => {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = await text(request)
    const path = request.url ?? ""
    const refusal = otherwise.refusal(path)
    if (refusal !== null) {
      response.writeHead(400, { "content-type": "application/json" }).end(refusal)
      return
    }
    const answered = await fetch(marketplace + path, {
      method: otherwise.method(path) ?? request.method ?? "GET",
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": request.headers["content-type"] ?? ""
      },
      ...(asked === "" ? {} : { body: asked })
    })
    const answer = await change({ path, asked, answer: await answered.text() })
    for (const name of headersKept) {
      const value = answered.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answered.status).end(answer)
  }
  // The marketplace of an abandoned request may be gone.
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  return listening(server)
}

/** A proxy that stops with the scope. */
export const proxyFor = (...args: Parameters<typeof startProxy>) =>
  Effect.acquireRelease(
    Effect.promise(() => startProxy(...args)),
    ({ stop }) => Effect.sync(stop)
  )

/** A server that gives every request the same answer. */
export const startAnswering = async (status: number, contentType: string, body: string, more = {}) => {
  const server = createServer(
    (_, response) => void response.writeHead(status, { "content-type": contentType, ...more }).end(body)
  )
  return listening(server)
}
