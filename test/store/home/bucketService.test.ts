import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gameId } from "../lake/invented.ts"
import { cardlake, json, startCardlake, type Started } from "../../pipelines/cli.ts"
import { isFull } from "../../tried.ts"
import { address, bucketHere, lakeSums } from "./tinyBucket.ts"

interface Health {
  readonly ok: boolean
  readonly lastRun: string | null
  readonly lastVerdict: string | null
  readonly lakeAgeSeconds: number | null
}
const everySecond = ["--cron", "* * * * * *"]
const yearly = ["--cron", "0 3 1 1 *"]

describe("a service of a home in a bucket", async () => {
  const tiny = await bucketHere()

  const started = async (...flags: ReadonlyArray<string>) => {
    const service = startCardlake(["schedule", "--log", "json", "--health", "0", ...flags], { env: tiny.env(address) })
    let log = ""
    service.process.stderr?.on("data", (text: string) => (log += text))
    await service.shows('"event":"next"')
    const health = async () => {
      const response = await fetch(`http://127.0.0.1:${/"port":(\d+)/.exec(log)?.[1]}/health`)
      return { status: response.status, ...((await response.json()) as Health) }
    }
    return { ...service, health }
  }
  type Service = Awaited<ReturnType<typeof started>>
  const until = async ({ health }: Service, verdict: string) => {
    let says = await health()
    for (; says.lastVerdict !== verdict; says = await health()) await setTimeout(50)
    return says
  }
  const end = async (service: Service) => {
    service.process.kill("SIGTERM")
    const ended = await service.ended
    assert.strictEqual(ended.code, 130, ended.stderr)
    return ended.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { readonly verdict: string }).verdict)
  }

  it("publishes its nights there, is healthy, and says when the store is away", async () => {
    const service = await started(...everySecond, "--json")
    const { lakeAgeSeconds, status } = await until(service, "unchanged")
    assert.strictEqual(status, 200)
    assert.isAtMost(lakeAgeSeconds ?? Number.NaN, 60)
    tiny.store.state.before = (request) => {
      request.socket.destroy()
      return true
    }
    assert.deepInclude(await until(service, "failed"), { status: 503, ok: false })
    tiny.store.state.before = () => false
    assert.deepInclude(await until(service, "unchanged"), { status: 200, ok: true })
    const verdicts = await end(service)
    assert.deepStrictEqual(verdicts.slice(0, 2), ["published", "unchanged"])
    assert.deepStrictEqual(
      tiny.steps().map((step) => step.split(" ").slice(0, 2)),
      [[gameId, "nightly"]]
    )
  })

  it("starts anew with what the bucket says of the last night, by whomever", async () => {
    const { run, startedAt } = json(await tiny.run("nightly", "--json")) as { run: string; startedAt: string }
    const service = await started(...yearly)
    const says = await service.health()
    assert.deepInclude(says, { status: 200, lastVerdict: "unchanged", lastRun: startedAt }, run)
    assert.deepStrictEqual(await end(service), [])
  })

  it("refuses a report of the morning, which a copy has", async () => {
    const report = await tiny.run("schedule", ...yearly, "--report", join(tiny.work, "morning.md"))
    assert.strictEqual(report.code, 2)
    assert.match(report.stderr, /cardlake pull --home s3:\/\/lakes\/tiny --to DIR; cardlake report --home DIR/)
  })

  it("gives every copy its exchange rates, and loses none when two load them at the same moment", async () => {
    await tiny.run("nightly")
    const [older, newer] = ["older.csv", "newer.csv"].map((name) => join(tiny.work, name))
    writeFileSync(older ?? "", "Date,JPY\n2026-08-20,170.1\n")
    writeFileSync(newer ?? "", "Date,JPY\n2026-08-21,170.2\n")
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    tiny.store.state.before = async ({ method, url = "" }) => {
      if (method !== "PUT" || !/fx_rates\.[^/]*parquet/.test(decodeURIComponent(url))) return false
      tiny.store.state.before = () => false
      reached.resolve()
      await released.promise
      return false
    }
    const slow = tiny.start("fx", older ?? "")
    await Promise.race([reached.promise, slow.ended])
    const fast = await tiny.run("fx", newer ?? "")
    released.resolve()
    const overtaken = await slow.ended
    assert.strictEqual(fast.code, 0, fast.stderr)
    assert.match(fast.stdout, /^1 rate in 1 currency.*cardlake pull --home s3:\/\/lakes\/tiny --to DIR/)
    assert.strictEqual(overtaken.code, 75, overtaken.stderr)
    assert.strictEqual((await tiny.run("fx", older ?? "")).code, 0)
    const copy = join(tiny.work, "rated")
    await cardlake(["pull", "--home", address, "--to", copy], { env: tiny.store.env })
    const sql = "select currency, day, rate from fx_rates order by all"
    const { stdout } = await cardlake(["query", "--home", copy, "--csv", sql])
    for (const rate of ["JPY,2026-08-20,170.1", "JPY,2026-08-21,170.2"]) assert.include(stdout, rate)
  })
})

interface Pulled {
  readonly isNew: boolean
  readonly games: ReadonlyArray<string>
}

describe("a copy that is watched", async () => {
  const tiny = await bucketHere()
  const copy = join(tiny.work, "watched")
  let watching: Started
  const fetched: Array<Pulled> = []
  beforeAll(async () => {
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    const env = tiny.store.env
    watching = startCardlake(["pull", "--home", address, "--to", copy, "--watch", "--every", "1s", "--json"], { env })
    watching.process.stdout?.on("data", (text: string) => {
      for (const line of text.split("\n")) if (line !== "") fetched.push(JSON.parse(line) as Pulled)
    })
    while (fetched.length === 0) await Promise.race([setTimeout(50), ended()])
  })
  afterAll(() => watching.process.kill("SIGKILL"))
  const ended = () =>
    watching.ended.then(({ code, stderr, stdout }) => assert.fail(`It ended with ${code}: ${stdout}${stderr}`))
  const pullHere = () => cardlake(["pull", "--home", address, "--to", copy], { env: tiny.store.env })

  /** Publishes a night, and waits until the copy has it. */
  const publishedAndFetched = async () => {
    const before = fetched.length
    await tiny.sandbox.deploy(gameId)
    const night = await tiny.run("nightly", "--json")
    assert.include(night.stdout, '"verdict":"published"')
    const start = performance.now()
    while (fetched.length === before) await Promise.race([setTimeout(50), ended()])
    return performance.now() - start
  }

  it("has a night soon after it was published, and says so once", async () => {
    const millis = await publishedAndFetched()
    const start = performance.now()
    assert.deepStrictEqual(await lakeSums(copy), await tiny.pulled())
    // By default it looks only every 30 seconds; a slow machine needs its time.
    assert.isBelow(millis, 20_000 + 2 * (performance.now() - start))
    await setTimeout(2500)
    assert.deepStrictEqual(
      fetched.map(({ games, isNew }) => [games, isNew]),
      [
        [[gameId], true],
        [[gameId], true]
      ]
    )
  })

  it("has one writer at a time: a second pull says who is at it, and succeeds between two looks", async () => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    tiny.store.state.before = async () => {
      reached.resolve()
      await released.promise
      return false
    }
    await reached.promise
    const refused = await pullHere()
    tiny.store.state.before = () => false
    released.resolve()
    assert.strictEqual(refused.code, 1, refused.stdout)
    assert.match(refused.stderr, /is locked by another pull, process \d+ on .* Wait for it to finish/)
    let again = refused
    for (let tries = 0; tries < 20 && again.code !== 0; tries++) again = await pullHere()
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, /is up to date with s3:\/\/lakes\/tiny/)
  })

  it.runIf(isFull)("goes on when the store is away for a moment", async () => {
    tiny.store.state.before = (request) => {
      request.socket.destroy()
      return true
    }
    await watching.shows("failed: ")
    tiny.store.state.before = () => false
    await publishedAndFetched()
    assert.deepInclude(fetched.at(-1), { isNew: true, games: [gameId] })
  })

  it("ends when it is told to, like every command that is stopped, and leaves a copy that can be refreshed", async () => {
    watching.process.kill("SIGTERM")
    const { code, stderr } = await watching.ended
    assert.strictEqual(code, 130, stderr)
    const after = await pullHere()
    assert.strictEqual(after.code, 0, after.stderr)
    assert.match(after.stdout, /is up to date with/)
  })
})
