import { ok } from "node:assert/strict"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { setTimeout } from "node:timers/promises"

/** A delivery as it came in. */
export interface Received {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Receives webhooks on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** What it answers next, in this order; afterwards 200. */
  readonly answerWith: (...statuses: ReadonlyArray<number>) => void
  readonly stop: () => void
}

/** Starts a receiver. `judge` may answer a delivery instead; 0: never. */
export const startReceiver = async (
  judge: (delivery: Received) => number | undefined = () => undefined
): Promise<Receiver> => {
  const received: Array<Received> = []
  let statuses: Array<number> = []
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const delivery = { method: request.method ?? "", headers, body: Buffer.concat(pieces).toString() }
      received.push(delivery)
      const status = judge(delivery) ?? statuses.shift() ?? 200
      if (status > 0) response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end()
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith: (...next) => void (statuses = [...next]),
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The signature that Standard Webhooks asks for, by its published text. */
export const signatureOf = ({ body, headers }: Received, secret: string): string => {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
}

/** Waits until so many deliveries came. */
export const came = async (received: ReadonlyArray<unknown>, count: number) => {
  for (let tries = 0; tries < 1000 && received.length < count; tries++) await setTimeout(5)
  ok(received.length >= count, `${received.length} of ${count} deliveries came`)
}
