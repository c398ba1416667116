import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"

/** A delivery as it came in: what a receiver verifies, byte for byte. */
export interface DeliveredEvent {
  readonly type: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const isSigned = ([name]: readonly [string, unknown]): boolean => name.startsWith("webhook-") || name === "content-type"

/** A receiver of webhooks on this machine that keeps the first delivery of each type. */
export const makeEventHook = Effect.gen(function* () {
  const received = new Map<string, DeliveredEvent>()
  let secret = ""
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const headers = Object.entries(request.headers)
        .filter(isSigned)
        .map(([name, value]) => [name, String(value)])
      const { type } = JSON.parse(body) as { type: string }
      if (!received.has(type)) received.set(type, { type, secret, headers: Object.fromEntries(headers), body })
      response.end()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/webhooks`,
    trust: (signedWith: string) => void (secret = signedWith),
    received
  }
})
