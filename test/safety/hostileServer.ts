import { Effect } from "effect"
import { createServer } from "node:http"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder, card, expansion } from "../store/lake/invented.ts"
import type { Spoil } from "./hostileAnswers.ts"

export const games = { wild: "wild", quiet: "quiet" } as const

const cards = (gameId: string) => ({
  expansions: [{ ...expansion(1), gameId }],
  products: Array.from({ length: 5 }, (_, index) => ({ ...card(index + 1), gameId }))
})

/** Which requests ask for the list of games, and for each list of the wild game. */
export const endpoints: Readonly<Record<string, (path: string, body: string) => boolean>> = {
  games: (path) => path === "/v1/games",
  expansions: (path) => path.startsWith(`/v1/games/${games.wild}/expansions`),
  products: (path, body) => path.startsWith("/v1/products/search") && body.includes(`"${games.wild}"`),
  head: (path) => path.startsWith(`/v1/feeds/${games.wild}/`) && /[?&]limit=1(&|$)/.test(path),
  changelog: (path) => path.startsWith(`/v1/feeds/${games.wild}/`) && !/[?&]limit=1(&|$)/.test(path)
}

/**
 * A sandbox behind a server that spoils the answers of one endpoint; `tell` says which one and how.
 * It has two games; the quiet one is left alone.
 */
export const hostileServer = Effect.gen(function* () {
  const catalogue = yield* catalogueFolder({ [games.wild]: [cards(games.wild)], [games.quiet]: [cards(games.quiet)] })
  const sandbox = yield* serveSandbox({ catalogue })
  const told: { endpoint: string; spoil: Spoil } = { endpoint: "", spoil: () => {} }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url ?? ""
      const body = Buffer.concat(chunks).toString()
      const { endpoint, spoil } = told
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => /^(authorization|content-type|accept)$/.test(name))
      ) as Record<string, string>
      const asked = request.method === "POST" ? { method: "POST", body, headers } : { headers }
      void fetch(`${sandbox.url}${path}`, asked).then(async (answer) => {
        const text = await answer.text()
        if (endpoints[endpoint]?.(path, body) === true) return spoil(response, { text, json: JSON.parse(text) })
        return response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
      })
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    key: sandbox.key,
    tell: (endpoint: string, spoil: Spoil) => Effect.sync(() => Object.assign(told, { endpoint, spoil }))
  }
})
