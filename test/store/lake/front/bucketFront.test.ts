import { DuckDBInstance } from "@duckdb/node-api"
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { leftOut } from "../../../../src/store/lake/front/buildFront.ts"
import { lakeFiles } from "../../../../src/store/lake/history/historyTables.ts"
import { address, savedBucket } from "../../home/tinyBucket.ts"
import { cardlake } from "../../../pipelines/cli.ts"
import { isFull, tried } from "../../../tried.ts"
import { card, type Deployed, gameId } from "../invented.ts"

/** Prices of the first two days are equal, so in a home that was moved they are one object of two nights. */
const days: ReadonlyArray<Deployed> = [1, 1, 2, 3, 4, 5].map((low, day) => ({
  products: [1, 2, 3].map((id) =>
    card(id, {
      name: `Hound ${id} of day ${Math.min(day, 2)}`,
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: low + id, marketValue: low + id } } }
    })
  )
}))

const { saved, tiny } = await savedBucket(
  async ({ inFolder, run, sandbox, work, store }) => {
    for (const isNew of [false, true, true]) {
      if (isNew) await sandbox.deploy(gameId)
      assert.strictEqual((await inFolder("nightly")).code, 0)
    }
    const moved = await cardlake(["move", "--from", join(work, "folder"), "--to", address], { env: store.env })
    assert.strictEqual(moved.code, 0, moved.stderr)
    assert.strictEqual((await run("front", "publish")).code, 0)
  },
  { [gameId]: days }
)
const { objects, state } = tiny.store
const front = "tiny/front.duckdb"

/** The newest front, or one at a key, as a reader sees it whose files are in a folder: all objects of the bucket. */
const attached = async <A>(
  use: (ask: (sql: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>) => Promise<A>,
  key = "front.duckdb"
): Promise<A> => {
  const folder = mkdtempSync(join(tiny.work, "objects "))
  for (const [name, { body }] of objects) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), body)
  }
  return await opened(join(folder, "tiny", key), join(folder, "tiny"), use)
}

const opened = async <A>(
  file: string,
  base: string,
  use: (ask: (sql: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>) => Promise<A>
): Promise<A> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    await connection.run(`set TimeZone = 'UTC'; attach ${sqlText(file)} as cards (read_only); use cards`)
    await connection.run(`set variable cardlake_base = ${sqlText(base)}`)
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowsJson())
  } finally {
    instance.closeSync()
  }
}

const tables = lakeFiles
  .flatMap(([kind, files]) => (kind === "macro" ? [] : files.map(({ name }) => name)))
  .filter((name) => !(name in leftOut))
const answers = (ask: (sql: string) => Promise<unknown>) =>
  Promise.all(
    tried([...tables, "movers(min_price := 0)", "price_series(1)"], (_, index) => index % 4 === 1).map(async (name) => [
      name,
      await ask(`select count(*), bit_xor(hash(t::varchar)) from ${name} t`)
    ])
  )
const answersOfCopy = async () => {
  const copy = mkdtempSync(join(tiny.work, "copy "))
  assert.strictEqual((await tiny.run("pull", "--to", join(copy, "lake"))).code, 0)
  return await opened(join(copy, "lake/lake.duckdb"), "", answers)
}
const commit = () => attached((ask) => ask("select lake_commit, base from front"))
const night = async () => {
  await tiny.sandbox.deploy(gameId)
  return await tiny.run("nightly", "--json")
}

describe("the front of a home in a bucket", () => {
  it("answers as the lake does, also of nights with equal files, and is at most 1 MB", async () => {
    assert.isAtMost(objects.get(front)?.body.length ?? Infinity, 1e6)
    assert.deepStrictEqual(await attached(answers), await answersOfCopy())
    assert.deepStrictEqual(
      await attached((ask) => ask("select count(distinct seen_at), count(*) from source_price_history")),
      [["3", "9"]]
    )
    assert.strictEqual((await commit())[0]?.[1], address)
  })

  it.skipIf(!isFull)(
    "is written again by every publication, with the number of its commit; the one before stays readable",
    async () => {
      const [first] = await commit()
      const before = [...objects.keys()].find((key) => /^tiny\/fronts\/.*\/front.duckdb$/.test(key)) ?? ""
      assert.strictEqual((await night()).code, 0)
      const [second] = await commit()
      assert.strictEqual(Number(second?.[0]), Number(first?.[0]) + 1)
      assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
      assert.strictEqual(Number((await commit())[0]?.[0]), Number(second?.[0]) + 1)
      assert.deepStrictEqual(await attached(answers), await answersOfCopy())
      const old = await attached(
        (ask) => ask("select count(*) from source_price_history"),
        before.slice("tiny/".length)
      )
      assert.deepStrictEqual(old, [["9"]])
      assert.deepStrictEqual(await tiny.wrong(), [])
    }
  )

  it("leaves alone what others put beside it", async () => {
    const others = ["tiny/fronts/notes.txt", "tiny/fronts/0000000001-notes/front.duckdb"]
    const some = objects.get(front)
    assert.isDefined(some)
    for (const key of others) objects.set(key, some)
    assert.match((await tiny.run("front", "publish")).stdout, / names \d+ files, 0 of them new; 0 removed/)
    for (const key of others) assert.isTrue(objects.has(key), key)
  })

  it.skipIf(!isFull)("is examined by doctor, and publishing it again brings back what it lost", async () => {
    const own = [...objects.keys()].find((key) => /^tiny\/fronts\/.*nights.parquet$/.test(key)) ?? ""
    for (const key of [own, front]) {
      objects.delete(key)
      assert.match(
        (await tiny.run("doctor")).stdout,
        /^BAD {2}front .*lacks \S+, or it is damaged\. .* front publish /m
      )
      assert.strictEqual((await tiny.run("front", "publish")).code, 0)
      assert.match((await tiny.run("doctor")).stdout, /^ok {3}front .* is that of the published lake/m)
    }
  })

  it.skipIf(!isFull)("never replaces that of a later commit", async () => {
    const there = objects.get(front)
    assert.isDefined(there)
    const noted = { ...there.noted, "x-amz-meta-folder": "fronts/0000009999-0123456789abcdef" }
    objects.set(front, { ...there, noted })
    const { code, stderr } = await night()
    assert.deepStrictEqual([code, /front/.test(stderr)], [0, false], stderr)
    assert.deepStrictEqual(objects.get(front)?.body, there.body)
    assert.match((await tiny.run("front", "publish")).stderr, /has the front of a later commit/)
  })

  it.skipIf(!isFull)("of two publications at once, stays that of the later one", async () => {
    let first: string | undefined
    let night: ReturnType<typeof tiny.beside> | undefined
    state.before = async (request) => {
      if (request.method !== "PUT" || !String(request.url).includes("front.duckdb")) return false
      const folder = request.headers["x-amz-meta-folder"]?.toString()
      // A client that waits too long for its request sends it again.
      if (folder === undefined || folder !== (first ??= folder)) return false
      assert.strictEqual((await (night ??= tiny.beside("nightly"))).code, 0)
      return false
    }
    await tiny.sandbox.deploy(gameId)
    const { code, stderr } = await tiny.run("front", "publish")
    state.before = () => false
    assert.deepStrictEqual([code, /has the front of a later commit/.test(stderr)], [1, true], stderr)
    assert.deepStrictEqual(await attached(answers), await answersOfCopy())
  })

  it.skipIf(!isFull)(
    "counts for nothing: a night without it is a night that warns, and the next one catches up",
    async () => {
      state.before = (request, response) => {
        if (request.method !== "PUT" || !String(request.url).includes("/fronts/")) return false
        response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")
        return true
      }
      const { code, stderr } = await tiny.run("nightly")
      state.before = () => false
      assert.strictEqual(code, 0)
      assert.match(
        stderr,
        /The front in s3:\/\/lakes\/tiny is that of an earlier lake: .*Retry: cardlake front publish --home s3:\/\/lakes\/tiny/
      )
      const [before] = await commit()
      assert.strictEqual((await tiny.run("nightly")).code, 0)
      assert.strictEqual(Number((await commit())[0]?.[0]), Number(before?.[0]) + 2)
    }
  )

  it.skipIf(!isFull)("keeps what it names from garbage collection, however old it is", async () => {
    const later = [...saved].map(
      ([key, stored]) => [key, { ...stored, at: new Date(stored.at.getTime() - 4e9) }] as const
    )
    objects.clear()
    for (const [key, stored] of later) objects.set(key, stored)
    state.before = (request, response) => {
      if (request.method !== "PUT" || !String(request.url).includes("/fronts/")) return false
      response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")
      return true
    }
    state.clock += 4e9
    assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
    assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
    state.before = () => false
    assert.deepStrictEqual(await attached((ask) => ask("select count(*) from source_price_history")), [["9"]])
  })
})

describe("a bucket", () => {
  it("has a front only after the first one was published, or with the address of its readers", async () => {
    for (const key of objects.keys()) if (key.includes("front")) objects.delete(key)
    await tiny.run("nightly")
    assert.isFalse(objects.has(front))
    const { code, stderr } = await tiny.run("nightly", "--public-url", "https://data.example/lake/")
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual((await commit())[0]?.[1], "https://data.example/lake")
    await tiny.run("nightly")
    assert.strictEqual((await commit())[0]?.[1], "https://data.example/lake", "the address stays")
  })
})
