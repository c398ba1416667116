import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A question about the price history, as it arrived. */
export interface AskedHistory {
  readonly product: number
  readonly from: string
  readonly to: string
}

/** Answers the price history alone, as `answer` says; counts what it was asked. Stops with the scope. */
export const historyServer = (answer: (asked: AskedHistory, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<AskedHistory> = []
      const server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
        const product = Number(/^\/v1\/products\/(\d+)\/prices\/history$/.exec(pathname)?.[1])
        const one = { product, from: searchParams.get("from") ?? "", to: searchParams.get("to") ?? "" }
        asked.push(one)
        answer(one, response)
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        server.close()
        await once(server, "close")
      })
  )

export const send = (response: ServerResponse, text: string, status = 200, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(text)
}

/** The answer of a service that has one price of these days. */
export const historyOf = ({ from, product, to }: AskedHistory, rows: ReadonlyArray<object>) =>
  JSON.stringify({ productId: product, from, to, data: rows })

export const eurRow = (date: string, marketValue: number, more: object = {}) => ({
  date,
  marketplace: "sourceEur",
  finish: "Standard",
  marketValue,
  ...more
})
