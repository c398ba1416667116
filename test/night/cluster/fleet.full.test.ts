import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { said, type TinyBucket, tinyBucket } from "../../store/home/tinyBucket.ts"
import type { Started } from "../../pipelines/cli.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, password, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"

const games = Array.from({ length: 24 }, (_, index) => `game-${String(index + 1).padStart(2, "0")}`)

describe.skipIf(!hasPostgres)(`a fleet of several workers (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  let workers: Map<string, Started>
  let reference: Readonly<Record<string, string | undefined>>
  beforeAll(async () => {
    postgres = await ownPostgres()
    tiny = await tinyBucket(gamesOf(games, 300))
    await tiny.inFolder("nightly")
    reference = await tiny.folderSums()
  }, 600_000)
  beforeEach(() => {
    tiny.store.objects.clear()
    workers = new Map()
  })
  afterEach(async () => {
    for (const { ended, process } of workers.values()) {
      process.kill("SIGTERM")
      assert.notInclude((await ended).stderr, password)
    }
  })
  afterAll(async () => {
    await tiny.stop()
    await postgres.remove()
  })

  const start = async (name: string) => {
    const worker = tiny.start("worker", "--cluster", postgres.url, "--name", name)
    workers.set(name, worker)
    await worker.shows("waits for nights")
    return worker
  }
  const stop = (name: string, signal: NodeJS.Signals) => workers.get(name)?.process.kill(signal)

  /** How often workers said that each game was read to its end. */
  const readToTheEnd = () => {
    const all = [...workers.values()].map(({ text }) => text()).join("")
    return games.map((game) => all.split(new RegExp(`${game}: \\w+ in `)).length - 1)
  }

  /**
   * A night during which something happens once the first game is ready; it is the same as in a folder. Only games that
   * workers had at hand when it happened may be read twice to their ends: two each.
   */
  const nightWith = async (names: ReadonlyArray<string>, disturbed: number, happens: () => Promise<unknown>) => {
    await Promise.all(names.map(start))
    const startedMillis = Date.now()
    const night = tiny.run("nightly", "--cluster", postgres.url, "--json")
    await Promise.race([...workers.values()].map(({ shows }) => shows(": ready in")))
    await happens()
    const happenedMillis = Date.now()
    const { stderr, stdout } = await night
    const seconds = (millis: number) => ((Date.now() - millis) / 1000).toFixed(1)
    process.stdout.write(
      `night: ${seconds(startedMillis)} s, ${seconds(happenedMillis)} s of them after what happened\n`
    )
    const ends = readToTheEnd()
    const again = ends.filter((times) => times > 1).length
    process.stdout.write(`games read to their end more than once: ${again} of ${games.length}\n`)
    assert.isAtMost(Math.max(...ends), 2)
    assert.isAtMost(again, 2 * disturbed)
    const verdicts = new Set(said({ stdout }).map((game) => game.split(" ")[1]))
    assert.deepStrictEqual(
      said({ stdout }).map((game) => game.split(" ")[0]),
      games,
      stderr
    )
    assert.isTrue(
      [...verdicts].every((verdict) => verdict === "published" || verdict === "unchanged"),
      stdout
    )
    assert.deepStrictEqual(
      tiny
        .steps()
        .map((step) => step.split(" ")[0])
        .toSorted(),
      games
    )
    const { readings, ...sums } = await tiny.pulled()
    assert.include(reference, sums)
    assert.isAtLeast(Number(readings?.split(" ")[0]), games.length)
  }

  it("loses a worker to kill -9, and nothing else", () =>
    nightWith(["a", "b", "c"], 1, async () => stop("a", "SIGKILL")))

  it("is restarted worker by worker during a night", () =>
    nightWith(["a", "b"], 2, async () => {
      for (const name of ["a", "b"]) {
        await start(`${name}2`)
        stop(name, "SIGTERM")
      }
    }))

  it("loses Postgres for a minute", () =>
    nightWith(["a", "b"], 2, async () => {
      await postgres.stop()
      await sleep(60_000)
      await postgres.start()
    }))
})
