import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { startStore } from "../../warehouse/Store.ts"
import { cardlake, settings } from "../../pipelines/cli.ts"
import { bucketHere, documentsOf, said } from "./tinyBucket.ts"
import { gameId, repricedGame } from "../lake/invented.ts"
import { join } from "node:path"
import { deployments } from "../../safety/tinyNights.ts"
import { tried } from "../../tried.ts"
import { once } from "node:events"
import { createServer } from "node:http"

const week = 7 * 24 * 3600 * 1000

describe("the store of a home in a bucket", async () => {
  const tiny = await bucketHere()
  await tiny.run("nightly")
  await tiny.sandbox.deploy(gameId)
  await tiny.run("nightly")
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
    await tiny.sandbox.deploy(gameId)
    assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} published`])
  })
})

describe("objects that the store loses", async () => {
  const other = "birch"
  const tiny = await bucketHere({ [gameId]: deployments, [other]: repricedGame(other, { days: 1 }) })
  assert.strictEqual((await tiny.run("nightly")).code, 0)

  const lists = () => tiny.store.state.requests.filter((request) => /^GET .*list-type=2/.test(request)).length

  /** The store answers the writes of these keys with 200, and loses them: as often as `times` says of each kind. */
  const losing = (kind: RegExp, times: number): void => {
    let lost = 0
    tiny.store.state.before = (request, response, body) => {
      const key = decodeURIComponent(String(request.url).split("?")[0] ?? "").slice("/lakes/".length)
      if (request.method !== "PUT" || !kind.test(key) || lost === times) return false
      lost++
      tiny.store.answer(request, response, body)
      tiny.store.objects.delete(key)
      return true
    }
  }

  const kinds = [/\.snapshots\.source_prices\.parquet$/, /\/lake\/commits\//]
  for (const kind of tried(kinds, (_, index) => index === 0))
    it(`a write of ${kind.source} that the store confirms and loses is found before the night publishes, and sent again`, async () => {
      await tiny.sandbox.deploy(gameId)
      losing(kind, 1)
      const night = await tiny.run("nightly", gameId, "--json")
      tiny.store.state.before = () => false
      assert.deepStrictEqual(said(night), [`${gameId} published`])
      if (!kind.source.includes("commits"))
        assert.match(night.stderr, /The store has lost .* after it confirmed the write/)
      assert.deepStrictEqual(await documentsOf(tiny).damaged(), [])
    })

  it("where it is lost again, the night fails with a sentence, and what was published stays", async () => {
    await tiny.sandbox.deploy(gameId)
    const before = tiny.steps()
    losing(/\.snapshots\.source_prices\.parquet$/, Infinity)
    const night = await tiny.run("nightly", gameId)
    tiny.store.state.before = () => false
    assert.strictEqual(night.code, 1)
    assert.match(night.stderr, /source_prices\.parquet failed: the store confirmed the write twice and does not have/)
    assert.deepStrictEqual(tiny.steps(), before)
    assert.deepStrictEqual(said(await tiny.run("nightly", gameId, "--json")), [`${gameId} published`])
  })

  it("a night with news lists its game once more, and one without news lists nothing more", async () => {
    const listsOf = async () => {
      tiny.store.state.requests.length = 0
      const night = await tiny.run("nightly", gameId, "--json")
      return { said: said(night), lists: lists() }
    }
    const without = await listsOf()
    await tiny.sandbox.deploy(gameId)
    const withNews = await listsOf()
    assert.deepStrictEqual([...without.said, ...withNews.said], [`${gameId} unchanged`, `${gameId} published`])
    assert.strictEqual(withNews.lists, without.lists + 1)
  })

  it("a pull goes on with the other games where one has lost an object, names it, and exits with 4", async () => {
    const key =
      [...tiny.store.objects.keys()].findLast(
        (one) => one.startsWith(`tiny/games/${gameId}/`) && one.includes(".snapshots.")
      ) ?? ""
    const stored = tiny.store.objects.get(key)
    tiny.store.objects.delete(key)
    const copy = join(tiny.work, "part")
    const pulled = await tiny.run("pull", "--to", copy, "--json")
    assert.strictEqual(pulled.code, 4, pulled.stderr)
    assert.include(pulled.stderr, `s3://lakes/${key} failed: it is missing`)
    const { games, lost } = JSON.parse(pulled.stdout) as {
      games: ReadonlyArray<string>
      lost: ReadonlyArray<{ game: string }>
    }
    assert.deepStrictEqual([games, lost.map(({ game }) => game)], [[other], [gameId]])
    if (stored !== undefined) tiny.store.objects.set(key, stored)
    assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  })
})

describe("status of a home in a bucket", async () => {
  const gameId = "cedar"
  const tiny = await bucketHere({ [gameId]: repricedGame(gameId, { days: 3 }) })

  interface Night {
    readonly games: ReadonlyArray<{ readonly verdict: string; readonly resumedPages?: number }>
  }
  const objects = () => [...tiny.store.objects.keys()].filter((name) => !/\.raw\.|\/probes\//.test(name)).toSorted()

  it("status reads a home in a bucket; a dry run leaves only pages there, which the next night uses", async () => {
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    const status = await tiny.run("status", "--json")
    assert.strictEqual(status.code, 0, status.stdout + status.stderr)
    const { findings } = JSON.parse(status.stdout) as { findings: ReadonlyArray<{ name: string; says: string }> }
    assert.match(findings.find(({ name }) => name === "last night")?.says ?? "", /^published, ended \d+s ago, 1 game$/)
    assert.isUndefined(findings.find(({ name }) => name === "disk"))

    await tiny.sandbox.deploy(gameId)
    const before = objects()
    const dry = await tiny.run("nightly", "--dry-run")
    assert.match(dry.stdout, /^cedar +would be published /m)
    assert.deepStrictEqual(objects(), before)
    const night = JSON.parse((await tiny.run("nightly", "--json")).stdout) as Night
    assert.strictEqual(night.games[0]?.verdict, "published")
    assert.isAbove(night.games[0]?.resumedPages ?? 0, 0)
  })

  it("exchange rates of a home in a bucket are loaded once a day, and status knows their age", async () => {
    let requests = 0
    const bank = createServer((_, response) => {
      requests += 1
      response.end("Date,USD\n2026-08-21,1.1\n")
    }).listen(0, "127.0.0.1")
    await once(bank, "listening")
    const address = bank.address()
    const source = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/rates.csv`
    const loaded = await tiny.run("fx", source, "--daily", "--json")
    assert.deepInclude(JSON.parse(loaded.stdout), { rates: 1, isNew: true })
    assert.deepInclude(JSON.parse((await tiny.run("fx", source, "--daily", "--json")).stdout), { isNew: false })
    bank.close()
    assert.strictEqual(requests, 1)
    assert.match((await tiny.run("status")).stdout, /^WARN rates {8}Exchange rates up to 2026-08-21, \d+d/m)
  })
})
