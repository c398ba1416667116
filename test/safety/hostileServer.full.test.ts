import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { node, start } from "../pipelines/cli.ts"
import { spoils } from "./hostileAnswers.ts"
import { endpoints, games, hostileServer } from "./hostileServer.ts"
import { live } from "../support/suite.ts"

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
