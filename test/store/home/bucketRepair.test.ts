import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import type { BucketStore } from "../../../src/store/home/bucket/BucketStore.ts"
import {
  commitFields,
  type CommitLog,
  continueLog,
  examineLog,
  readHead,
  repairLog,
  type Stored
} from "../../../src/store/home/bucket/log/commitLog.ts"
import { live } from "../../support/suite.ts"
import { startConditionalStore, useStore } from "./conditionalStore.ts"
import { hash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { showing } from "../../../src/night/run/showing.ts"
import { cardlake, key } from "../../pipelines/cli.ts"
import { tinyHome } from "../../safety/tinyNights.ts"
import { isFull, tried } from "../../tried.ts"
import { gameId } from "../lake/invented.ts"
import { address, savedBucket } from "./tinyBucket.ts"

describe("damage of a log", async () => {
  const Note = Schema.Struct({ ...commitFields, words: Schema.String })
  type Note = typeof Note.Type
  const log: CommitLog<Note> = { room: "games/fable", schema: Note }

  const store = await startConditionalStore()
  afterAll(store.stop)
  const inStore = <A, E>(use: (bucket: BucketStore) => Effect.Effect<A, E>) =>
    Effect.promise(() => useStore(store.env, "s3://lakes/home", use))
  const keyOf = (number: number) => `home/games/fable/commits/000000000${number}.json`

  /** Adds a commit to the log. */
  const add = (bucket: BucketStore, words: string, known = 0) =>
    Effect.flatMap(readHead(bucket, log, known), (from) =>
      continueLog(bucket, log, {
        from,
        attempt: words,
        next: (base: Stored<Note> | null) => Effect.succeed({ lowest: 1, ...base?.commit, words })
      })
    )

  beforeEach(async () => {
    store.objects.clear()
    await Effect.runPromise(inStore((bucket) => Effect.forEach(["one", "two", "three"], (words) => add(bucket, words))))
  })

  const spoil = (number: number, change: (text: string) => string) => {
    const there = store.objects.get(keyOf(number))
    assert.isDefined(there)
    store.objects.set(keyOf(number), { ...there, body: Buffer.from(change(there.body.toString("utf8"))) })
  }

  /** Another commit names the third one. */
  const known = 3

  const missing = "it is missing"
  const strange = "its content is not Cardlake's"
  const cut = (text: string) => text.slice(0, 40)
  const old = { reads: "three", writes: 4, repairs: "4 three" }
  const newest = { reads: null, writes: null, repairs: "4 two" }
  const all = { reads: null, writes: null, repairs: null }

  /** What a damaged log reads, what a writer adds, and what a repair leaves. Null: it fails. */
  const damage: ReadonlyArray<{
    readonly harm: string
    readonly do: () => void
    readonly names: string
    readonly reads: string | null
    readonly writes: number | null
    readonly repairs: string | null
  }> = [
    { harm: "an old commit is missing", do: () => store.objects.delete(keyOf(2)), names: `2 ${missing}`, ...old },
    { harm: "an old commit is cut", do: () => spoil(2, cut), names: `2 ${strange}`, ...old },
    {
      harm: "an old commit is replaced",
      do: () => spoil(2, (text) => text.replace("two", "2")),
      names: "2 the commit after it names other bytes",
      ...old
    },
    {
      harm: "the newest commit is missing",
      do: () => store.objects.delete(keyOf(3)),
      names: `3 ${missing}`,
      ...newest
    },
    { harm: "the newest commit is cut", do: () => spoil(3, cut), names: `3 ${strange}`, ...newest },
    { harm: "all commits are missing", do: () => store.objects.clear(), names: `3 ${missing}`, ...all }
  ]

  for (const { do: harm, harm: what, names, reads, repairs, writes } of damage)
    live(`${what}: it is named, and a repair retains ${repairs ?? "nothing"}`, function* () {
      harm()
      const found = yield* inStore((bucket) => examineLog(bucket, log, { number: known }))
      assert.deepStrictEqual(
        found.damage.map((one) => `${Number(one.key.slice(-15, -5))} ${one.what}`),
        [names]
      )
      const head = yield* inStore((bucket) => Effect.result(readHead(bucket, log, known)))
      assert.strictEqual(Result.isSuccess(head) ? head.success?.commit.words : null, reads)
      const saved = new Map(store.objects)
      const added = yield* inStore((bucket) => Effect.result(add(bucket, "four", known)))
      assert.strictEqual(Result.isSuccess(added) ? added.success.head?.number : null, writes)
      store.objects.clear()
      for (const [key, stored] of saved) store.objects.set(key, stored)
      const repaired = yield* inStore((bucket) => repairLog(bucket, log, found))
      assert.strictEqual(repaired === null ? null : `${repaired.number} ${repaired.commit.words}`, repairs)
      if (repairs === null) return
      assert.deepStrictEqual((yield* inStore((bucket) => examineLog(bucket, log, { number: known }))).damage, [])
      assert.strictEqual((yield* inStore((bucket) => add(bucket, "five", known))).head?.number, 5)
    })
})

describe("damage of objects", async () => {
  /** Two nights of May, which are in the month's part, and one of June, moved into the bucket. */
  const { keyOf, lose, sizeOf, spoil, tiny, urlOf } = await savedBucket(async ({ env, sandbox, work }) => {
    const folder = join(work, "folder")
    await Effect.gen(function* () {
      const home = yield* tinyHome(folder, sandbox.url, key)
      for (const day of ["05-10", "05-11", "06-02"]) {
        yield* home.night.pipe(showing(Date.parse(`2026-${day}T03:00:00Z`)))
        yield* Effect.promise(() => sandbox.deploy(gameId))
      }
    }).pipe(Effect.scoped, Effect.runPromise)
    const { code, stderr } = await cardlake(["move", "--from", folder, "--to", address], { env: env(address) })
    assert.strictEqual(code, 0, stderr)
  })

  const sums = await tiny.pulled()

  const damages = {
    "is gone": lose,
    "has other bytes": (key: string) => spoil(key),
    "is cut": (key: string) => spoil(key, "x".repeat(sizeOf(key) - 1))
  }

  const mendable = {
    "a table": /\.snapshots\.products\.parquet$/,
    "a manifest": /\.snapshots\.manifest\.json$/,
    "a file of changes": /\.changes\.product_versions\.parquet$/,
    "a difference": /\.changes\.diff\.json$/,
    "the account of a month": /\.months\.part\.json$/,
    "a changelog": /\.snapshots\.deployments\.parquet$/
  }
  /** Of the published snapshot, as it was before it was moved. */
  const sumOf = (pattern: string) =>
    new RegExp(hash("sha256", readFileSync(globSync(join(tiny.work, "folder", pattern)).toSorted()[0] ?? "")))
  const table = sumOf("snapshots/*/snapshot=202606*/products.parquet")
  const report = /\/lake\/objects\/.*\.runs\.\d{8}T[^/]*\.json$/
  const page = sumOf("raw/*/202605*/pages/products-*")
  const restore = "Restore it from a backup of the bucket"
  const isMissing = "is damaged: it is missing"

  /** What doctor says of objects; the nights were long ago. */
  const damaged = async () => (await tiny.wrong()).filter((says) => says.includes("is damaged"))

  const cases = Object.entries(mendable).flatMap(([what, pattern]) =>
    Object.entries(damages).map(([how, damage]) => ({ what, pattern, how, damage }))
  )
  for (const { damage, how, pattern, what } of tried(cases, () => false))
    it(`a repair of a bucket makes ${what} again that ${how}, once`, async () => {
      damage(keyOf(pattern))
      const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
      assert.strictEqual(code, 0, `${stdout}${stderr}`)
      assert.match(stdout, /^repaired: .*\n[1-9]\d* repaired, 0 left as they are\n$/s)
      assert.deepStrictEqual(await tiny.pulled(), sums)
      const repaired = [...tiny.store.objects.keys()].filter((one) => !one.includes("/keys/"))
      assert.include((await tiny.run("doctor", "--repair")).stdout, "Nothing is damaged")
      // Where nothing is damaged, nothing is written.
      const after = [...tiny.store.objects.keys()].filter((one) => !one.includes("/keys/"))
      assert.deepStrictEqual(after, repaired)
    })

  it("doctor names objects of a bucket by their keys; a repair makes what it can as other objects, and says of the rest who needs it", async () => {
    const copy = join(tiny.work, "copy-of-month")
    assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
    const lost = [table, report, page].map(keyOf)
    const [snapshot = "", run = "", raw = ""] = lost
    lose(...lost)
    const cut = keyOf(mendable["a changelog"])
    const size = tiny.store.objects.get(urlOf(cut).slice("s3://lakes/".length))?.body.length ?? 0
    damages["is cut"](cut)
    const month = keyOf(/\.months\.source_prices\.parquet$/)
    spoil(month)
    const orRepair = `${restore}, or repair what can be repaired with: cardlake doctor --home s3://lakes/tiny --repair`
    const nextOfPage = `${restore}: there is no other copy. Only a replay or repair of its snapshot needs it; it is reported until that snapshot is pruned: cardlake prune`
    const namedPage = `${urlOf(raw)} ${isMissing}. ${nextOfPage} --home s3://lakes/tiny`
    assert.sameMembers(
      [...(await damaged())],
      [
        `${urlOf(snapshot)} ${isMissing}. ${orRepair}`,
        `${urlOf(run)} ${isMissing}. ${orRepair}`,
        `${urlOf(cut)} is damaged: it has ${size - 1} bytes instead of ${size}. ${orRepair}`,
        namedPage
      ]
    )
    const before = new Map(tiny.store.objects)
    const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
    for (const [one, stored] of before)
      if (one.includes("/objects/")) assert.strictEqual(tiny.store.objects.get(one), stored, one)
    const { done, left } = JSON.parse(stdout) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }
    assert.deepStrictEqual([code, left.length], [1, 2], stdout)
    assert.include(done.join("\n"), `is no longer listed: ${urlOf(run)} ${isMissing}`)
    assert.include(left, `${urlOf(raw)} ${isMissing}. ${nextOfPage}`)
    const [, object, file = ""] =
      /(\S+) is damaged: its bytes do not match the checksum in its name\. Restore it from a backup of the bucket, or from (\S+) of a copy made by cardlake pull: no command can rebuild it\. Until then its game cannot be copied, nor those days exported; nights continue$/m.exec(
        left.join("\n")
      ) ?? []
    assert.strictEqual(object, urlOf(month), left.join("\n"))
    assert.strictEqual((await tiny.run("pull", "--to", join(tiny.work, "none"))).code, 1)
    spoil(month, readFileSync(join(copy, file)))
    assert.deepStrictEqual(await damaged(), [namedPage])
    assert.deepStrictEqual(await tiny.pulled(), sums)
    assert.strictEqual((await tiny.run("runs")).stderr, "")
  })

  it.runIf(isFull)("a repair of a bucket that another runner overtakes begins again from there", async () => {
    lose(keyOf(table))
    const overtaken: Array<Promise<{ readonly code: number | null }>> = []
    tiny.store.state.before = async ({ method, url = "" }) => {
      if (overtaken.length > 0 || method !== "PUT" || !url.includes(`/games/${gameId}/commits/`)) return false
      overtaken.push(tiny.beside("rollback", gameId, "--yes", "--why", "as a test"))
      await overtaken[0]
      return false
    }
    const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
    tiny.store.state.before = () => false
    assert.strictEqual((await overtaken[0])?.code, 0)
    assert.strictEqual(code, 0, `${stdout}${stderr}`)
    assert.match(stderr, /Another runner changed hollowmere meanwhile/)
    assert.strictEqual(tiny.steps().at(-1)?.split(" ")[1], "rollback")
    assert.deepStrictEqual(await damaged(), [])
  })

  it("a night that needs a damaged object of a bucket names it, and publishes once it is repaired", async () => {
    const key = keyOf(table)
    spoil(key)
    const { code, stdout } = await tiny.run("nightly")
    assert.strictEqual(code, 1)
    assert.include(stdout, `Read ${urlOf(key)} failed: its bytes do not match the checksum in its name.`)
    assert.include(stdout, "repair what can be repaired with: cardlake doctor --repair")
    for (const other of ["lake.duckdb", tmpdir()]) assert.notInclude(stdout, other)
    assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
    assert.include((await tiny.run("nightly")).stdout, "1 published")
  })

  it.runIf(isFull)(
    "commands go on without a report and a page that are gone, until neither is named any more",
    async () => {
      const before = (JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<unknown>).length
      const key = keyOf(report)
      lose(key, keyOf(page))
      const said = `Read ${urlOf(key)} failed: it is missing. ${restore}, or repair what can be repaired with: cardlake doctor --repair`
      const listed = await tiny.run("runs", "--json")
      assert.deepStrictEqual(
        [listed.code, (JSON.parse(listed.stdout) as ReadonlyArray<unknown>).length],
        [0, before - 1]
      )
      assert.include(listed.stderr, said)
      const pulled = await tiny.run("pull", "--to", join(tiny.work, "without-report"))
      assert.strictEqual(pulled.code, 0)
      assert.include(pulled.stderr, said)
      const exported = await tiny.run("export", "--to", join(tiny.work, "drop-without-report"))
      assert.deepStrictEqual([exported.code, exported.stderr.split(said).length - 1], [0, 1], exported.stderr)
      for (let night = 0; night < 2; night++) {
        assert.include((await tiny.run("nightly")).stdout, "1 published")
        await tiny.sandbox.deploy(gameId)
      }
      assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
      const { code, stdout } = await tiny.run("doctor", "--repair")
      assert.strictEqual(code, 0, stdout)
      assert.match(
        stdout,
        /^repaired: run report \S+ is no longer listed: s3:\S+ is damaged: it is missing\n1 repaired, 0 left as they are\n$/
      )
      assert.deepStrictEqual(await damaged(), [])
    }
  )
})
