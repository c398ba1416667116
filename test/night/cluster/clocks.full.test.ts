import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { type TinyBucket, address, said, tinyBucket } from "../../store/home/tinyBucket.ts"
import { type Started, startCardlake } from "../../pipelines/cli.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"

const games = ["amber", "basalt", "coral", "diorite"]
const perMinute = 40
const hourMillis = 3_600_000
const shiftedClock = fileURLToPath(new URL("./shiftedClock.mjs", import.meta.url))

describe.skipIf(!hasPostgres)(`a fleet in which a clock is wrong (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  let workers: ReadonlyArray<Started> = []
  beforeAll(async () => {
    postgres = await ownPostgres()
  })
  beforeEach(async () => {
    tiny = await tinyBucket(gamesOf(games, 250), { rateLimit: perMinute, rateWindow: "sliding" })
  }, 600_000)
  afterEach(async () => {
    for (const { ended, process } of workers) {
      process.kill("SIGTERM")
      await ended
    }
    workers = []
    await tiny.stop()
  })
  afterAll(() => postgres.remove())

  const start = (name: string, shiftMillis: number): Started =>
    startCardlake(["worker", "--cluster", postgres.url, "--name", name, "--at-once", "1"], {
      env: {
        ...tiny.env(address),
        ...(shiftMillis === 0
          ? {}
          : { NODE_OPTIONS: `--import=${shiftedClock}`, CLOCK_SHIFT_MILLIS: String(shiftMillis) })
      }
    })
  const accounts = async () => {
    const answer = await fetch(`${tiny.sandbox.url}/sandbox/limits`)
    const found = (await answer.json()) as {
      accounts: ReadonlyArray<{ requests: number; refused: number; maxPerMinute: number }>
    }
    return found.accounts
  }
  const started = (text: string): ReadonlyArray<number> =>
    (JSON.parse(text) as { games: ReadonlyArray<{ snapshot: string }> }).games.map(({ snapshot }) =>
      Date.parse(snapshot.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, "$1-$2-$3T$4:$5:$6.$7Z"))
    )

  /** Two nights, the second one of new prices, by a worker whose clock is wrong and one whose clock is right. */
  const twoNights = async (shiftMillis: number) => {
    const wrong = start("wrong", shiftMillis)
    const right = start("right", 0)
    workers = [wrong, right]
    await Promise.all(workers.map(({ shows }) => shows("waits for nights")))
    assert.include(wrong.text(), `seconds ${shiftMillis > 0 ? "ahead of" : "behind"} the store's`)
    assert.notInclude(right.text(), "The clock of this machine")
    for (const night of [1, 2]) {
      const beganAt = Date.now()
      const ended = await tiny.run("nightly", "--cluster", postgres.url, "--json")
      assert.deepStrictEqual(
        said(ended),
        games.map((name) => `${name} published`),
        ended.stderr + wrong.text() + right.text()
      )
      // Readings have the store's time, whoever read them.
      for (const at of started(ended.stdout)) {
        assert.isAtLeast(at, beganAt - 30_000)
        assert.isAtMost(at, Date.now() + 30_000)
      }
      for (const name of night === 1 ? games : []) await tiny.sandbox.deploy(name)
    }
    const read = (worker: Started) => worker.text().split(": reading").length - 1
    process.stdout.write(`read by the wrong clock ${read(wrong)}, by the right one ${read(right)}\n`)
    assert.isAtLeast(read(wrong), 1)
    assert.isAtLeast(read(right), 1)
    assert.notInclude(wrong.text() + right.text(), "starts again")
    // Every game was published twice: once a night.
    assert.deepStrictEqual(
      tiny.steps().map((step) => step.split(" ")[0]),
      games.flatMap((name) => [name, name])
    )
    for (const { maxPerMinute, refused } of await accounts()) {
      assert.strictEqual(refused, 0)
      assert.isAtMost(maxPerMinute, perMinute)
    }
  }

  it("publishes each night once, and asks no faster, if a worker's clock is an hour ahead", () => twoNights(hourMillis))
  it("publishes each night once, and asks no faster, if a worker's clock is an hour behind", () =>
    twoNights(-hourMillis))
})
