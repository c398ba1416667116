import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type TinyBucket, address, said, tinyBucket } from "../../store/home/tinyBucket.ts"
import { assertFault, cardlake, startCardlake } from "../../pipelines/cli.ts"
import { isFull } from "../../tried.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, password, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"

const games = ["amber", "basalt"]

describe("a fleet", () => {
  it("works on a home in a bucket alone, and says so", async () => {
    const { code, stderr } = await cardlake([
      "worker",
      "--cluster",
      "postgres://me:hush@127.0.0.1:1/x",
      "--home",
      "/tmp/x"
    ])
    assert.strictEqual(code, 2)
    assert.include(stderr, "A fleet needs a home in a bucket: --home s3://bucket/prefix")
  })

  it("refuses a night of a home in a folder in one sentence, and one object of JSON", async () => {
    const asked = ["nightly", "--cluster", "postgres://127.0.0.1:1/x", "--home", "/tmp/x", "--json"]
    assertFault(await cardlake(asked), 2, /^cardlake: A fleet needs a home in a bucket: --home s3:/)
  })

  it("names the flag and the variable of the Postgres that a worker lacks", async () => {
    const sentence =
      /^cardlake: A worker needs the Postgres of its fleet\. Name it with --cluster postgres:.* or with CARDLAKE_CLUSTER$/
    assertFault(await cardlake(["worker", "--home", address]), 2, sentence)
  })

  it("says where its Postgres is not, and shows no password", async () => {
    const { code, stderr } = await cardlake([
      "nightly",
      "--cluster",
      "postgres://me:hush@127.0.0.1:1/x",
      "--home",
      address
    ])
    assert.strictEqual(code, 1)
    assert.include(stderr, "postgres://127.0.0.1:1/x: no connection: connect ECONNREFUSED")
    assert.notInclude(stderr, "hush")
  })

  it("leaves no drop itself", async () => {
    const asked = ["nightly", "--cluster", "postgres://127.0.0.1:1/x", "--home", address, "--export", "/tmp/x"]
    const { code, stderr } = await cardlake(asked)
    assert.strictEqual(code, 2)
    assert.include(stderr, "A night of the fleet does not export. Leave out --export")
  })
})

describe.skipIf(!hasPostgres)(`a fleet of one worker (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  beforeAll(async () => {
    postgres = await ownPostgres()
    tiny = await tinyBucket(gamesOf(games, 40))
  })
  afterAll(async () => {
    await tiny.stop()
    await postgres.remove()
  })

  it("says of a bucket that is not there, or that the store lets nobody write to, before it waits for anything", async () => {
    const worker = ["worker", "--cluster", "postgres://127.0.0.1:1/x"]
    const missing = await tiny.run(...worker, "--home", "s3://nowhere/tiny")
    assertFault(
      missing,
      1,
      /^cardlake: Read s3:\/\/nowhere\/tiny\/lake\/commits\/\d+\.json failed: .*NoSuchBucket.* Create the bucket/
    )
    const night = await tiny.run("nightly", "--cluster", postgres.url, "--home", "s3://nowhere/tiny")
    assert.strictEqual(night.code, 1)
    assert.match(
      night.stderr,
      /\ncardlake: Read s3:\/\/nowhere\/tiny\/lake\/commits\/\d+\.json failed: .*NoSuchBucket.* Create the bucket/
    )
    tiny.store.state.before = ({ method }, response) => {
      if (method === "PUT") response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>")
      return method === "PUT"
    }
    const refused = await tiny.run(...worker)
    // A store that creates what is there already.
    tiny.store.state.before = ({ headers }) => {
      delete headers["if-none-match"]
      return false
    }
    const unfit = await tiny.run(...worker)
    tiny.store.state.before = () => false
    assertFault(refused, 1, /SignatureDoesNotMatch.* Check AWS_SECRET_ACCESS_KEY/)
    assertFault(unfit, 1, /cannot hold a home at s3:\/\/lakes\/tiny: it creates an object that already exists/)
  })

  it("ends with 2 for a game that the marketplace does not have, though no worker is there to say it", async () => {
    const other = ["nightly", "opal", "--cluster", postgres.url, "--home", "s3://lakes/other"]
    const unknown = await tiny.run(...other)
    assert.deepStrictEqual([unknown.code, unknown.stdout], [2, ""])
    assert.match(
      unknown.stderr,
      /^No worker of s3:\/\/lakes\/other is alive .*\ncardlake: The marketplace has no game opal\. It has: amber, basalt\n$/
    )
    const { CARDLAKE_API_KEY: _, ...keyless } = tiny.env(address)
    const waits = startCardlake(other, { env: keyless })
    await waits.shows("This machine could not check that the marketplace has opal")
    waits.process.kill("SIGINT")
    assert.strictEqual((await waits.ended).code, 130)
  })

  it.runIf(isFull)("goes on with a night whose command was interrupted, and says so", async () => {
    const night = tiny.start("nightly", "amber", "--cluster", postgres.url)
    await night.shows("The night waits for one")
    await sleep(2000)
    night.process.kill("SIGINT")
    const { code, stderr } = await night.ended
    assert.strictEqual(code, 130)
    assert.match(
      stderr,
      /cardlake: Interrupted; the night waits for a worker, and then continues without this command\. See its result: cardlake runs\./
    )
    assert.notInclude(stderr, "To resume")
    const worker = tiny.start("worker", "--cluster", postgres.url, "--name", "late")
    await worker.shows("1 games published")
    worker.process.kill("SIGTERM")
    await worker.ended
    tiny.store.objects.clear()
  })

  it.runIf(isFull)("waits for a store that is away for a moment, and says so", async () => {
    tiny.store.state.before = (_, response) => {
      response.writeHead(503).end("<Error><Code>ServiceUnavailable</Code></Error>")
      return true
    }
    const worker = tiny.start("worker", "--cluster", postgres.url, "--name", "early")
    await worker.shows("waits for the store")
    assert.match(
      worker.text(),
      /^\S+Z Read s3:\/\/lakes\/tiny\/lake\/commits\/\d+\.json failed: .* 503 .*\. Worker early-\w+ waits for the store\n$/
    )
    tiny.store.state.before = () => false
    await worker.shows("waits for nights")
    worker.process.kill("SIGTERM")
    const { code, stderr } = await worker.ended
    assert.strictEqual(code, 130)
    assert.match(stderr, /Z Worker early-\w+ stops: SIGTERM; it had no work\n$/)
  })

  it("publishes every game once, and the lake is that of a night in a folder", async () => {
    const worker = tiny.start("worker", "--cluster", postgres.url, "--name", "only")
    await worker.shows("waits for nights")
    const night = await tiny.run("nightly", "--cluster", postgres.url, "--json")
    assert.deepStrictEqual(
      said(night),
      games.map((name) => `${name} published`),
      night.stderr
    )
    assert.include(night.stderr, "1 worker of s3://lakes/tiny")
    assert.deepStrictEqual(
      tiny
        .steps()
        .map((step) => step.split(" ")[0])
        .toSorted(),
      games
    )
    const second = await tiny.run("nightly", "--cluster", postgres.url, "amber", "--json")
    assert.deepStrictEqual(said(second), [`amber unchanged`])
    await tiny.inFolder("nightly")
    await tiny.inFolder("nightly", "amber")
    assert.deepStrictEqual(await tiny.pulled(), await tiny.folderSums())
    const unknown = await tiny.run("nightly", "--cluster", postgres.url, "opal")
    const inFolder = await tiny.inFolder("nightly", "opal")
    assertFault(inFolder, 2, /^cardlake: The marketplace has no game opal\. It has: amber, basalt$/)
    assert.deepStrictEqual([unknown.code, unknown.stdout], [2, ""])
    assert.strictEqual(unknown.stderr.split("\n").slice(1).join("\n"), inFolder.stderr)
    const fleetSaid = async () => {
      const { stdout } = await tiny.run("doctor", "--cluster", postgres.url, "--json")
      const findings = JSON.parse(stdout) as ReadonlyArray<{ readonly name: string; readonly says: string }>
      return findings.filter(({ name }) => name === "fleet").map(({ says }) => says)
    }
    const at = `postgres://127.0.0.1:${postgres.port}/postgres`
    assert.deepStrictEqual(await fleetSaid(), [`1 worker alive at ${at}`])
    worker.process.kill("SIGTERM")
    const ended = await worker.ended
    assert.deepStrictEqual(await fleetSaid(), [
      `No worker is alive at ${at}. Nights of the fleet wait for one. Start it with: cardlake worker --home s3://lakes/tiny`
    ])
    assert.include(ended.stderr, "amber: ready in")
    for (const line of ended.stderr.trimEnd().split("\n"))
      assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [A-Za-z]/)
    assert.notInclude(ended.stderr + night.stderr + night.stdout, password)
  })

  it.runIf(isFull)("reads the other games where one has lost its document, and names that", async () => {
    for (const key of tiny.store.objects.keys())
      if (key.startsWith("tiny/games/amber/commits/")) tiny.store.objects.delete(key)
    const worker = tiny.start("worker", "--cluster", postgres.url, "--name", "lossy")
    await worker.shows("waits for nights")
    const { code, stdout } = await tiny.run("nightly", "--cluster", postgres.url, "--json")
    worker.process.kill("SIGTERM")
    await worker.ended
    assert.deepStrictEqual([code, ...said({ stdout })], [4, "amber failed", "basalt unchanged"])
    assert.match(stdout, /Read s3:\/\/lakes\/tiny\/games\/amber\/commits\/\d{10}\.json failed: it is missing\. /)
  })

  it.runIf(isFull)(
    "ends at once where it is stopped while Postgres is away, and repeats nothing of the cluster",
    async () => {
      const worker = tiny.start("worker", "--cluster", postgres.url, "--name", "stopped")
      await worker.shows("waits for nights")
      // It holds its locks by then.
      await sleep(3000)
      const said = worker.text().length
      await postgres.stop()
      worker.process.kill("SIGTERM")
      const stoppedAt = Date.now()
      const { code } = await worker.ended
      assert.isBelow(Date.now() - stoppedAt, 4000)
      assert.strictEqual(code, 130)
      assert.match(worker.text().slice(said), /^\S+Z Worker stopped-\w+ stops: SIGTERM; it had no work\n$/)
    }
  )
})
