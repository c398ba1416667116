import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { startStore } from "../../warehouse/Store.ts"
import { cardlake, settings } from "../../pipelines/cli.ts"
import { documentsOf, said, type TinyBucket, tinyBucket } from "./tinyBucket.ts"
import { gameId } from "../lake/invented.ts"

const week = 7 * 24 * 3600 * 1000

describe("the store of a home in a bucket", () => {
  let tiny: TinyBucket
  beforeAll(async () => {
    tiny = await tinyBucket()
    await tiny.run("nightly")
    await tiny.sandbox.deploy(gameId)
    await tiny.run("nightly")
  })
  afterAll(() => tiny.stop())
  const keys = () => [...tiny.store.objects.keys()].toSorted()

  it("is refused by its name, before anything is written, if it does not keep its word", async () => {
    const scope = Scope.makeUnsafe()
    const other = await Effect.runPromise(Scope.provide(startStore, scope))
    const { url } = tiny.sandbox
    const env = { ...settings(url, "s3://drops/home"), CARDLAKE_S3_PATH_STYLE: "true" }
    for (const name of ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3"])
      Object.assign(env, { [name]: process.env[name] })
    const night = await cardlake(["nightly"], { env })
    assert.strictEqual(night.code, 1)
    assert.match(
      night.stderr,
      /^cardlake: The store at 127\.0\.0\.1:\d+ cannot hold a home at s3:\/\/drops\/home: it (creates an object that already|replaces an object although the writer)[^.]*\. The store must support conditional writes/m
    )
    assert.deepStrictEqual(
      other.state.requests.filter((one) => one.startsWith("PUT") && !one.includes("/probes/")),
      []
    )
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("that forgets which version a writer names is refused, too", async () => {
    const before = keys()
    tiny.store.state.before = (request) => {
      delete request.headers["if-match"]
      return false
    }
    const night = await tiny.run("nightly")
    tiny.store.state.before = () => false
    assert.strictEqual(night.code, 1)
    assert.include(night.stderr, "replaces an object although the writer names another version")
    assert.deepStrictEqual(keys(), before)
  })

  it("gives a night without news the documents and the list of pages, and no table", async () => {
    tiny.store.state.requests.length = 0
    tiny.store.state.bytesOut = 0
    assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} unchanged`])
    const fetched = tiny.store.state.requests.filter((request) => request.startsWith("GET"))
    assert.deepStrictEqual(
      fetched.filter((request) => request.includes(".parquet")),
      []
    )
    assert.isBelow(fetched.length, 25)
    assert.isBelow(tiny.store.state.bytesOut, 40_000)
  })

  it("loses what no commit names once its attempt was silent for a week, and what is named stays", async () => {
    const prune = async () => {
      const pruned = await tiny.run("prune", "--keep-last", "1", "--yes")
      assert.strictEqual(pruned.code, 0, pruned.stderr)
    }
    const attempt = "20260101T000000000Z-00000000"
    tiny.store.objects.set(`tiny/games/${gameId}/objects/${attempt}/${"0".repeat(64)}.raw.x.json.gz`, {
      body: Buffer.from("left by a runner that died"),
      tag: '"x"',
      at: new Date()
    })
    const left = () => keys().filter((key) => key.includes(attempt))
    await prune()
    const early = keys()
    assert.lengthOf(left(), 1)
    tiny.store.state.clock = week + 60_000
    const published = await documentsOf(tiny).read({ of: "published" })
    await prune()
    assert.lengthOf(left(), 0)
    assert.isBelow(keys().length, early.length)
    assert.deepStrictEqual(await documentsOf(tiny).read({ of: "published" }), published)
    assert.deepStrictEqual(await documentsOf(tiny).damaged(), [])
    assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} unchanged`])
    await tiny.sandbox.deploy(gameId)
    assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} published`])
  })

  it("does not take back in what a prune has deleted: a runner that was silent for a week begins again", async () => {
    tiny.store.state.clock = 0
    await tiny.sandbox.deploy(gameId)
    const reached = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    let held = false
    tiny.store.state.before = async (request) => {
      if (held || request.method !== "PUT" || !/\/games\/.*\/commits\//.test(String(request.url))) return false
      held = true
      reached.resolve()
      await ended.promise
      return false
    }
    const silent = tiny.beside("nightly", "--json")
    await reached.promise
    tiny.store.state.clock = week + 60_000
    assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
    ended.resolve()
    const { code, stderr, stdout } = await silent
    assert.strictEqual(code, 0, stderr)
    assert.include(stderr, "continues from there")
    assert.deepStrictEqual(said({ stdout }), [`${gameId} published`])
    tiny.store.state.clock = 3 * week
    assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
    assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} unchanged`])
    await tiny.pulled()
  })
})
