import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"
import { toyFleet } from "./toyFleet.ts"

let postgres: OwnPostgres
let fleet: ReturnType<typeof toyFleet>
const newFleet = (stepMillis: number) => {
  fleet = toyFleet(postgres, stepMillis)
  return fleet
}

const endSessions =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = 'postgres'"
const games = ["magic", "pokemon", "lorcana", "riftbound"]
const timesBegun = () =>
  games.map((gameId) => fleet.steps().filter((s) => s.step === "begin" && s.gameId === gameId).length)
const count = (step: string) => fleet.steps().filter((noted) => noted.step === step).length
const assertEnded = async (night: Promise<{ readonly games: ReadonlyArray<{ readonly gameId: string }> }>) =>
  assert.deepStrictEqual(
    (await night).games.map(({ gameId }) => gameId),
    games
  )
const assertReadAtMost = (times: number) => assert.isAtMost(Math.max(...timesBegun()), times, fleet.said())
const takeover = (what: string, millis: number) => {
  process.stdout.write(`takeover, ${what}: ${(millis / 1000).toFixed(1)} s\n`)
  assert.isAtMost(millis, 35_000)
}

describe.skipIf(!hasPostgres)(`the contract of the cluster (${whyNoPostgres})`, () => {
  beforeAll(async () => {
    postgres = await ownPostgres()
  })
  afterEach(() => fleet.remove())
  afterAll(() => postgres.remove())

  it("reads each game once, in the order of the plan, and publishes once, though the night is begun twice", async () => {
    const { night, steps, worker } = newFleet(500)
    worker("a")
    worker("b")
    const [first, second] = await Promise.all([night("n", games), night("n", games)])
    assert.deepStrictEqual(first, second)
    assert.deepStrictEqual(timesBegun(), [1, 1, 1, 1])
    assert.deepStrictEqual([count("plan"), count("publish")], [1, 1])
    const begun = steps().filter(({ step }) => step === "begin")
    assert.deepStrictEqual(
      begun.toSorted((x, y) => x.at - y.at).map(({ gameId }) => gameId),
      games
    )
    assert.deepStrictEqual(await night("n", games), first)
    assert.strictEqual(count("begin"), 4)
    assert.notInclude(fleet.said(), "starts again")
  })

  it("has the night published by another worker if one is killed while it publishes", async () => {
    const { night, until, worker } = newFleet(3000)
    const workers = new Map(["a", "b"].map((name) => [name, worker(name)]))
    const ended = night("n", games)
    const first = await until(({ step }) => step === "publish")
    workers.get(first.worker)?.kill("SIGKILL")
    const again = await until((s) => s.step === "publish" && s.worker !== first.worker)
    takeover("kill -9 of a publisher", again.at - first.at)
    await assertEnded(ended)
    assert.deepStrictEqual([count("plan"), count("published")], [1, 1])
    assert.deepStrictEqual(timesBegun(), [1, 1, 1, 1])
  })

  it("goes on without a publisher that froze for a minute", async () => {
    const { night, until, worker } = newFleet(3000)
    const workers = new Map(["a", "b"].map((name) => [name, worker(name)]))
    const ended = night("n", games)
    const first = await until(({ step }) => step === "publish")
    const frozen = workers.get(first.worker)
    frozen?.kill("SIGSTOP")
    const again = await until((s) => s.step === "publish" && s.worker !== first.worker)
    takeover("SIGSTOP of a publisher", again.at - first.at)
    await assertEnded(ended)
    await sleep(Math.max(0, first.at + 60_000 - Date.now()))
    frozen?.kill("SIGCONT")
    await assertEnded(night("n2", games))
    assert.deepStrictEqual([count("plan")], [2])
  })

  it(
    "ends each of eight nights, whichever sessions are ended at whatever moment of it",
    { timeout: 900_000 },
    async () => {
      for (let round = 0; round < 8; round++) {
        const { night, worker } = newFleet(1500)
        worker("a")
        worker("b")
        await sleep(2500)
        const ended = night("n", games)
        await sleep(1000 + round * 1100)
        const [which = ""] = ["and random() < 0.4", "and query like '%pg_locks%'", ""].slice(round % 3)
        const endedAt = Date.now()
        await postgres.run(`${endSessions} ${which}`)
        await assertEnded(ended)
        const seconds = (Date.now() - endedAt) / 1000
        process.stdout.write(
          `sessions ended ${round * 1100 + 1000} ms into a night: it ended ${seconds.toFixed(1)} s later, begun ${timesBegun().join()}\n`
        )
        assert.isAtMost(seconds, 90)
        assertReadAtMost(2)
        assert.isAtMost(count("published"), 2)
        await fleet.remove()
      }
    }
  )

  it("begins one night at each time, however many schedules there are, also after one is killed", async () => {
    const { schedule, until, worker } = newFleet(100)
    worker("a")
    const schedules = [schedule("s1", games), schedule("s2", games)]
    const due = await until(({ step }) => step === "published")
    await sleep(12_000)
    const times = () => fleet.steps().filter(({ step }) => step === "due")
    const perTime = (seen: ReadonlyArray<{ readonly at: number }>) =>
      new Set(seen.map(({ at }) => Math.floor(at / 5000))).size
    assert.strictEqual(perTime(times()), times().length)
    const busy = times().at(-1)
    schedules[busy?.worker === "s1" ? 0 : 1]?.kill("SIGKILL")
    const killedAt = Date.now()
    const next = await until((s) => s.step === "due" && s.worker !== busy?.worker && s.at > killedAt)
    takeover("kill -9 of a schedule", next.at - killedAt)
    assert.isAbove(next.at, due.at)
  })
})
