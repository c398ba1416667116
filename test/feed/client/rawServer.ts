import { ConfigProvider, Effect, Layer } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { certificate } from "./certificate.ts"
import { quickPolicy, strangeKey } from "./StrangeServer.ts"

/** Starts a server, which stops when the scope closes. Returns its port. */
export const listening = Effect.fnUntraced(function* (server: Server) {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})

/** Whatever a server may write to a connection, byte for byte. */
export type Answer = (socket: Socket) => void

/** The marketplace's client, against a server that answers every connection's first bytes so. */
export const againstRaw = (
  answer: Answer,
  options: {
    readonly policy?: Partial<RetryPolicy>
    readonly scheme?: "http" | "https"
    readonly tls?: boolean
    /** Answers before anything is asked. */
    readonly unasked?: boolean
    /** Sees every connection before its first byte, a TLS one too. */
    readonly onConnection?: (socket: Socket) => void
  } = {}
) => {
  const { policy = {}, scheme = "http", tls = false, unasked = false, onConnection = () => {} } = options
  const begin = (socket: Socket) => {
    socket.on("error", () => {})
    if (unasked) answer(socket)
    else socket.once("data", () => answer(socket))
  }
  const server = tls ? createTlsServer(certificate, begin) : createServer(begin)
  const settings = Layer.effect(
    ConfigProvider.ConfigProvider,
    Effect.map(listening(server.on("connection", onConnection)), (port) =>
      ConfigProvider.fromUnknown({ CARDLAKE_URL: `${scheme}://127.0.0.1:${port}`, CARDLAKE_API_KEY: strangeKey })
    )
  )
  return Effect.provide([
    Layer.provide(Marketplace.layer, settings),
    Layer.succeed(RetryPolicy, { ...quickPolicy, ...policy })
  ])
}
