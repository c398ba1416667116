import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { said, type TinyBucket, tinyBucket } from "../../store/home/tinyBucket.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"

const games = ["amber", "basalt", "coral", "diorite", "emerald", "flint"]
const perMinute = 30

describe.skipIf(!hasPostgres)(`the one key of a fleet (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  beforeAll(async () => {
    postgres = await ownPostgres()
    tiny = await tinyBucket(gamesOf(games, 500), { rateLimit: perMinute, rateWindow: "sliding" })
  }, 600_000)
  afterAll(async () => {
    await tiny.stop()
    await postgres.remove()
  })

  it("asks no faster than its limit in any minute of a night in which workers die and lose their sessions", async () => {
    const workers = ["a", "b", "c"].map((name) => tiny.start("worker", "--cluster", postgres.url, "--name", name))
    await Promise.all(workers.map(({ shows }) => shows("waits for nights")))
    const night = tiny.run("nightly", "--cluster", postgres.url, "--json")
    await sleep(20_000)
    await postgres.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'cardlake worker%'"
    )
    await sleep(20_000)
    workers[0]?.process.kill("SIGKILL")
    const ended = await night
    for (const { process } of workers) process.kill("SIGTERM")
    assert.deepStrictEqual(
      said(ended),
      games.map((name) => `${name} published`),
      ended.stderr
    )
    const answer = await fetch(`${tiny.sandbox.url}/sandbox/limits`)
    const { accounts } = (await answer.json()) as {
      accounts: ReadonlyArray<{ requests: number; refused: number; mostInAMinute: number }>
    }
    process.stdout.write(`one key of three workers, ${perMinute} a minute: ${JSON.stringify(accounts)}\n`)
    assert.deepStrictEqual(
      accounts.map(({ refused }) => refused),
      [0]
    )
    assert.isAtMost(accounts[0]?.mostInAMinute ?? Infinity, perMinute)
    assert.isAbove(accounts[0]?.requests ?? 0, perMinute)
  })
})
