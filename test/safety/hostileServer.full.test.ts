import { Effect } from "effect"
import { createServer } from "node:http"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { catalogueFolder, card, expansion } from "../store/lake/invented.ts"
import { type Spoil, spoils } from "./hostileAnswers.ts"
import { assert, describe } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { node, start } from "../pipelines/cli.ts"
import { live } from "../support/suite.ts"

const games = { wild: "wild", quiet: "quiet" } as const

const cards = (gameId: string) => ({
  expansions: [{ ...expansion(1), gameId }],
  products: Array.from({ length: 5 }, (_, index) => ({ ...card(index + 1), gameId }))
})

/** Which requests ask for the list of games, and for each list of the wild game. */
const endpoints: Readonly<Record<string, (path: string, body: string) => boolean>> = {
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
const hostileServer = Effect.gen(function* () {
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

const program = join(import.meta.dirname, "hostileNight.ts")
const maxSeconds = 30
const maxMegabytes = 1500

interface Night {
  readonly verdicts: Readonly<Record<string, string>>
  readonly said: unknown
  readonly megabytes: number
}

/** Spoils the answers of one endpoint in every way, each in a night with its own process and home. */
const attack = Effect.fnUntraced(function* (endpoint: string) {
  const server = yield* hostileServer
  const problems: Array<string> = []
  const slowest = { seconds: 0, what: "" }
  const largest = { megabytes: 0, what: "" }
  for (const [what, spoil] of Object.entries(spoils)) {
    yield* server.tell(endpoint, spoil)
    const home = mkdtempSync(join(tmpdir(), "cardlake-hostile-"))
    const startedAt = performance.now()
    const ended = yield* Effect.promise(() => start(node, [program, server.url, server.key, home]).ended)
    const seconds = (performance.now() - startedAt) / 1000
    rmSync(home, { recursive: true, force: true })
    if (ended.code !== 0) {
      problems.push(`${what}: ended with ${ended.code}: ${ended.stderr.slice(0, 300)}`)
      continue
    }
    const night = JSON.parse(ended.stdout) as Night
    if (seconds > slowest.seconds) Object.assign(slowest, { seconds, what })
    if (night.megabytes > largest.megabytes) Object.assign(largest, { megabytes: night.megabytes, what })
    if (seconds > maxSeconds) problems.push(`${what}: took ${seconds.toFixed(1)} s`)
    if (night.megabytes > maxMegabytes) problems.push(`${what}: took ${night.megabytes.toFixed(0)} MB`)
    const isQuietRead = endpoint === "games" || night.verdicts[games.quiet] === "published"
    if (!isQuietRead)
      problems.push(`${what}: the other game is not published: ${JSON.stringify(night.said).slice(0, 500)}`)
  }
  console.log(
    `${endpoint}: ${Object.keys(spoils).length} cases; slowest ${slowest.seconds.toFixed(1)} s (${slowest.what}), most memory ${largest.megabytes.toFixed(0)} MB (${largest.what})`
  )
  assert.deepStrictEqual(problems, [])
})

describe("a hostile answer ends no process, and costs no other game its night", () => {
  for (const endpoint of Object.keys(endpoints)) {
    live(`from the endpoint ${endpoint}`, () => attack(endpoint).pipe(Effect.scoped))
  }
})
