import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { said, type TinyBucket, tinyBucket } from "../../store/home/tinyBucket.ts"
import type { Started } from "../../pipelines/cli.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"
import { toyFleet } from "./toyFleet.ts"

const games = ["amber", "basalt"]

/** So long a game's products take, so that others may ask meanwhile. */
const delay = { kind: "delay", endpoint: "products", millis: 6000 } as const

describe.skipIf(!hasPostgres)(`a second night while the first one reads (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  let workers: ReadonlyArray<Started> = []
  let asked: ReadonlyArray<number>
  beforeAll(async () => {
    postgres = await ownPostgres()
    tiny = await tinyBucket(gamesOf(games, 300), { faults: { rules: games.map((game) => ({ ...delay, game })) } })
    asked = await askedDuring(() => tiny.inFolder("nightly"))
    assert.isAbove(Math.min(...asked), 1)
  })
  afterEach(async () => {
    for (const { ended, process } of workers) {
      process.kill("SIGTERM")
      await ended
    }
    tiny.store.objects.clear()
  })
  afterAll(async () => {
    await tiny.stop()
    await postgres.remove()
  })

  /** How often products of each game are asked for while something runs. */
  const askedDuring = async (runs: () => Promise<unknown>) => {
    const count = async (game: string) =>
      [...(await tiny.sandbox.requests())].reduce(
        (sum, [request, times]) =>
          sum + (request.includes("/products/search") && request.includes(`"${game}"`) ? times : 0),
        0
      )
    const before = await Promise.all(games.map(count))
    await runs()
    return (await Promise.all(games.map(count))).map((times, index) => times - (before[index] ?? 0))
  }
  const start = async (...names: ReadonlyArray<string>) => {
    workers = names.map((name) => tiny.start("worker", "--cluster", postgres.url, "--name", name, "--at-once", "4"))
    await Promise.all(workers.map(({ shows }) => shows("waits for nights")))
  }
  const night = (...named: ReadonlyArray<string>) =>
    tiny.start("nightly", "--cluster", postgres.url, "--json", ...named).ended
  const published = (names: ReadonlyArray<string>) => names.map((name) => `${name} published`)

  for (const names of [["a"], ["a", "b"]])
    it(`reads no game again that ${names.length} at work are reading, and ends as the first one does`, async () => {
      await start(...names)
      const again = await askedDuring(async () => {
        const first = night()
        await Promise.race(workers.map(({ shows }) => shows("amber: reading")))
        const [all, one] = [night(), night("amber")]
        assert.deepStrictEqual(said(await first), published(games))
        assert.deepStrictEqual(said(await all), published(games))
        assert.deepStrictEqual(said(await one), published(["amber"]))
        assert.include(workers.map(({ text }) => text()).join(), "amber waits for the end of an earlier night")
      })
      assert.deepStrictEqual(again, asked)
    })

  it("reads the other games meanwhile", async () => {
    await start("a")
    const again = await askedDuring(async () => {
      const first = night("amber")
      await workers[0]?.shows("amber: reading")
      const second = night()
      await workers[0]?.shows("basalt: reading")
      assert.notInclude(workers[0]?.text(), "amber: ready")
      assert.deepStrictEqual(said(await first), published(["amber"]))
      assert.deepStrictEqual(said(await second), published(games))
    })
    assert.deepStrictEqual(again, asked)
  })
})

describe.skipIf(!hasPostgres)(`a night that waits for a reading of another one (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let fleet: ReturnType<typeof toyFleet>
  beforeAll(async () => {
    postgres = await ownPostgres()
    // Each of these workers has room for one game.
    fleet = toyFleet(postgres, 4000)
  })
  afterAll(async () => {
    await fleet.remove()
    await postgres.remove()
  })

  it("does not keep its worker from going on with that reading once the other worker dies", async () => {
    const workers = new Map(["a", "b"].map((name) => [name, fleet.worker(name)]))
    const first = fleet.night("n1", ["magic"])
    const begun = await fleet.until(({ step }) => step === "begin")
    const second = fleet.night("n2", ["magic", "pokemon"])
    const other = await fleet.until(({ gameId, step }) => step === "begin" && gameId === "pokemon")
    assert.notStrictEqual(other.worker, begun.worker)
    workers.get(begun.worker)?.kill("SIGKILL")
    assert.strictEqual((await first).games.length, 1)
    assert.strictEqual((await second).games.length, 2)
    const ofMagic = fleet.steps().filter(({ gameId, worker }) => gameId === "magic" && worker === other.worker)
    assert.deepStrictEqual(
      ofMagic.map(({ step }) => step),
      ["begin", "end", "begin", "end"]
    )
  })
})
