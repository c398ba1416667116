import { join } from "node:path"
import { node, start, type Started } from "../../pipelines/cli.ts"
import { createServer, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import type { AddressInfo } from "node:net"
import { slidingLimited } from "../../feed/client/RateLimitedServer.ts"

/** Workers that ask a marketplace as fast as the budget of their key lets them; each is a process with eight requests at once. */
export const budgetWorkers = (store: Readonly<Record<string, string>>, minuteMillis: number) => {
  const started: Array<Started> = []
  return {
    /** Resolves once it begins to ask; `off`: how far its clock is, in milliseconds. */
    begin: async (
      home: string,
      { key, off = 0, url }: { readonly url: string; readonly key: string; readonly off?: number }
    ) => {
      const worker = start(
        node,
        [join(import.meta.dirname, "budgetWorker.ts"), `s3://lakes/${home}`, String(minuteMillis), String(off)],
        { env: { ...store, CARDLAKE_URL: url, CARDLAKE_API_KEY: key } }
      )
      started.push(worker)
      await worker.shows("asking")
      return worker
    },
    /** Ends all, and resolves to what each of them printed. */
    stop: async () => {
      for (const { process } of started) {
        process.kill("SIGCONT")
        process.kill("SIGTERM")
      }
      const ended = await Promise.all(started.splice(0).map(({ ended }) => ended))
      return ended.map(({ stdout }) => stdout)
    }
  }
}

const page = gzipSync(JSON.stringify({ data: [], pagination: { offset: 0, limit: 200, total: 0, hasMore: false } }))

/** A service with one account for each key, each with so many requests in any minute, which lasts `millis`. */
export const startLimitedService = async (limit: number, millis: number) => {
  const accounts = new Map<string, ReturnType<typeof slidingLimited>>()
  const answers: Array<{ readonly key: string; readonly atMillis: number }> = []
  const state = { before: (_response: ServerResponse): boolean => false }
  const server = createServer((request, response) => {
    request.resume()
    const key = (request.headers.authorization ?? "").replace("Bearer ", "")
    const account = accounts.get(key) ?? slidingLimited(limit, { millis })
    accounts.set(key, account)
    if (state.before(response)) return
    const headers = account.admit(response)
    if (headers === null) return
    answers.push({ key, atMillis: performance.now() })
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip", ...headers }).end(page)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    answers,
    /** Requests of a key, the most within any minute, and those that were refused. */
    countsOf: (key: string) => ({
      requests: answers.filter((one) => one.key === key).length,
      ...(accounts.get(key)?.counts ?? { most: 0, refused: 0 })
    }),
    /** Requests of a key in a stretch of time. */
    between: (key: string, from: number, to: number) =>
      answers.filter((one) => one.key === key && one.atMillis >= from && one.atMillis < to).length,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
