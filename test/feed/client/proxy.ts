import { Effect } from "effect"
import { createServer, request } from "node:http"
import { connect } from "node:net"
import { listening } from "./rawServer.ts"

/**
 * A proxy that leads every host to one port of this machine. `asked` has the first line and the
 * credentials of each request.
 */
export const proxyTo = Effect.fnUntraced(function* (portOf: () => number) {
  const asked: Array<{ readonly line: string; readonly credentials: string | undefined }> = []
  const server = createServer((incoming, response) => {
    const { headers, method = "GET", url = "" } = incoming
    asked.push({ line: `${method} ${url}`, credentials: headers["proxy-authorization"] })
    const to = { host: "127.0.0.1", port: portOf(), path: new URL(url).pathname + new URL(url).search, method, headers }
    incoming.pipe(
      request(to, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }).on("error", () => response.destroy())
    )
  })
  server.on("connect", ({ headers, url = "" }, socket, head) => {
    asked.push({ line: `CONNECT ${url}`, credentials: headers["proxy-authorization"] })
    const tunnel = connect(portOf(), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      tunnel.write(head)
      tunnel.pipe(socket).pipe(tunnel)
    }).on("error", () => socket.destroy())
    socket.on("error", () => tunnel.destroy())
  })
  return { asked, port: yield* listening(server) }
})
