import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type TinyBucket, address, said, tinyBucket } from "../home/tinyBucket.ts"
import { cardlake } from "../pipelines/cli.ts"
import { gamesOf } from "./gamesOf.ts"
import { hasPostgres, ownPostgres, password, whyNoPostgres, type OwnPostgres } from "./ownPostgres.ts"

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
    assert.include(stderr, "A fleet works on a home in a bucket. Name it with --home s3://bucket/prefix")
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
    assert.include(stderr, "postgres://127.0.0.1:1/x: there is no connection: connect ECONNREFUSED")
    assert.notInclude(stderr, "hush")
  })

  it("leaves no drop itself", async () => {
    const asked = ["nightly", "--cluster", "postgres://127.0.0.1:1/x", "--home", address, "--export", "/tmp/x"]
    const { code, stderr } = await cardlake(asked)
    assert.strictEqual(code, 2)
    assert.include(stderr, "A night of the fleet leaves no drop. Leave out --export")
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
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(unknown.stderr, "The marketplace has no game opal. It has: amber, basalt")
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
      `No worker is alive at ${at}. Nights of the fleet wait for one: cardlake worker`
    ])
    assert.include(ended.stderr, "amber: published in")
    assert.notInclude(ended.stderr + night.stderr + night.stdout, password)
  })
})
