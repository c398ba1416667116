import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { Webhook } from "standardwebhooks"

/** What came in: a verified new event, one that came before, or nothing that the sender signed. */
export interface Received {
  readonly verdict: "new" | "again" | "refused"
  readonly headers: Record<string, string>
  readonly body: string
}

/** A webhook receiver as developers write it: the published library, and the ids it has seen. */
export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** The secret that it verifies with. */
  readonly trust: (secret: string) => void
  /** What it answers to the next requests, in this order; afterwards 200. `hang` never answers. */
  readonly answerWith: (answers: ReadonlyArray<number | "hang">) => void
}

const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

export const makeReceiver: Effect.Effect<Receiver, never, Scope.Scope> = Effect.gen(function* () {
  const received: Array<Received> = []
  const seen = new Set<string>()
  let webhook: Webhook | undefined
  let answers: Array<number | "hang"> = []

  const judge = (headers: Record<string, string>, body: string): Received["verdict"] => {
    try {
      webhook?.verify(body, headers)
    } catch {
      return "refused"
    }
    const id = headers["webhook-id"] ?? ""
    if (webhook === undefined) return "refused"
    return seen.has(id) ? "again" : "new"
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = plain(request.headers)
      const body = Buffer.concat(chunks).toString()
      const verdict = judge(headers, body)
      received.push({ verdict, headers, body })
      const answer = verdict === "refused" ? 400 : (answers.shift() ?? 200)
      if (answer === "hang") return
      if (answer < 300) seen.add(headers["webhook-id"] ?? "")
      response.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end()
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
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/hook`,
    received,
    trust: (secret) => void (webhook = new Webhook(secret)),
    answerWith: (next) => void (answers = [...next])
  }
})
