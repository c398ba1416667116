import { assert, it, describe } from "@effect/vitest"
import { hash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, cpSync, existsSync, globSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gameId, card } from "../lake/invented.ts"
import { assertFault, cardlake, startCardlake } from "../../pipelines/cli.ts"
import { hostileCases, withSum } from "../../safety/hostileTexts.ts"
import { address, bucketHere, savedBucket, tinyBucket, type TinyBucket } from "./tinyBucket.ts"
import { inSecondMonth } from "./damagedDocuments.ts"
import { execFileSync } from "node:child_process"
import { isFull, tried } from "../../tried.ts"
import { tmpdir } from "node:os"
import { startCollector } from "../../night/observe/Collector.ts"

describe("documents of others", async () => {
  type Objects = TinyBucket["store"]["objects"]

  const textOf = (objects: Objects, key: string): string => objects.get(key)?.body.toString("utf8") ?? ""

  /**
   * Puts another text in place of a document, as whoever may write to the bucket can: it is called by its own sum, and the
   * documents that name it follow.
   */
  const forge = (objects: Objects, key: string, text: string): void => {
    const before = hash("sha256", textOf(objects, key))
    const after = hash("sha256", text)
    objects.delete(key)
    objects.set(key.replace(before, after), { body: Buffer.from(text), tag: `"${after.slice(0, 32)}"`, at: new Date() })
    for (const other of [...objects.keys()].filter((one) => one.endsWith(".json"))) {
      const naming = textOf(objects, other)
      if (!naming.includes(before)) continue
      const sized = new RegExp(`"${before}",\\d+`, "g")
      const next = naming.replaceAll(sized, `"${after}",${Buffer.byteLength(text)}`).replaceAll(before, after)
      forge(objects, other, next)
    }
  }

  /** A spoiled document as its writer would have written it. */
  const textLike = (objects: Objects, key: string, document: unknown): string =>
    textOf(objects, key).includes('\n  "') ? withSum(document as object) : `${JSON.stringify(document)}\n`

  /** Everything below a folder but what belongs there, to see that nothing else was written. */
  const outsideOf = (folder: string, inside: ReadonlyArray<string>): ReadonlyArray<string> =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => !inside.some((one) => path === one || path.startsWith(`${one}/`)))
      .toSorted()

  const tiny = await bucketHere()
  const tmp = join(tiny.work, "deep", "deeper", "tmp")
  mkdirSync(tmp, { recursive: true })
  for (const _ of [1, 2]) {
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    await tiny.sandbox.deploy(gameId)
  }
  const saved = new Map(tiny.store.objects)
  inSecondMonth(tiny.store)
  const later = new Map(tiny.store.objects)

  const restored = (from = saved): Objects => {
    tiny.store.objects.clear()
    for (const [key, stored] of from) tiny.store.objects.set(key, stored)
    return tiny.store.objects
  }

  /** Runs a command, which writes nothing outside of its copy, and says what is wrong in sentences. */
  const tryIt = async (command: ReadonlyArray<string>, said: string) => {
    const copy = join(tmp, "copy")
    const inside = [copy, `${copy}.moving`]
    const before = outsideOf(tiny.work, inside)
    const args = command.map((word) => (word === "COPY" ? copy : word))
    const ended = await cardlake(args, { env: { ...tiny.env(address), TMPDIR: tmp }, hasShortWaits: true })
    assert.deepStrictEqual(outsideOf(tiny.work, inside), before, said)
    assert.notMatch(ended.stderr, /\n\s+at .*:\d+/, said)
    for (const one of inside) rmSync(one, { recursive: true, force: true })
    return ended
  }

  /** The documents of a bucket by their kinds, one of each, and a command that reads it. */
  const kinds: ReadonlyArray<readonly [kind: string, key: RegExp, command: ReadonlyArray<string>]> = [
    ["a commit of the lake", /\/lake\/commits\//, ["pull", "--to", "COPY"]],
    ["a commit of a game", /\/games\/.*\/commits\//, ["pull", "--to", "COPY"]],
    ["a month of a game", /\.month\.json$/, ["pull", "--to", "COPY"]],
    ["a month of runs", /\/lake\/.*\.runs\.json$/, ["pull", "--to", "COPY"]],
    ["a list of files", /\.list\.json$/, ["move", "--from", address, "--to", "COPY"]],
    ["a commit of a game", /\/games\/.*\/commits\//, ["nightly"]],
    ["a commit of the lake", /\/lake\/commits\//, ["doctor"]],
    ["a month of runs", /\/lake\/.*\.runs\.json$/, ["runs"]],
    ["a commit of a game", /\/games\/.*\/commits\//, ["snapshots"]]
  ]

  /** Texts that documents accept as they are: the reasons of people, and a report, which its reader validates. */
  const isFree = /\/steps\/\d+\/4: |\/report\/text: /

  /** In `npm test` so many of each kind; of every value one, in turn. */
  const few = 2

  // In `npm test`, each kind by its first reader, and what a night reads.
  for (const [kind, pattern, command] of tried(kinds, (_, index) => index < 6))
    it(`of ${kind} that somebody changed, no text leads outside, and ${command[0]} exits with 1`, async () => {
      const from = pattern.source.includes("commits") ? saved : later
      const key = [...from.keys()].toSorted().findLast((one) => pattern.test(one)) ?? ""
      const document: unknown = JSON.parse(from.get(key)?.body.toString("utf8") ?? "")
      for (const { document: changed, said } of hostileCases(document, join(tiny.work, "escaped"), few)) {
        if (isFree.test(said)) continue
        const objects = restored(from)
        forge(objects, key, textLike(objects, key, changed))
        const { code, stderr } = await tryIt(command, said)
        assert.strictEqual(code, 1, `${said}\n${stderr}`)
      }
    })

  it("of a commit of which nothing is published, pull names the game", async () => {
    const key = [...saved.keys()].toSorted().findLast((one) => /\/games\/.*\/commits\//.test(one)) ?? ""
    const state = JSON.parse(saved.get(key)?.body.toString("utf8") ?? "") as object
    const pulled = async (changed: object) => {
      const objects = restored()
      forge(objects, key, textLike(objects, key, { ...state, ...changed }))
      return tryIt(["pull", "--to", "COPY"], JSON.stringify(changed))
    }
    assert.match((await pulled({ live: null, published: [] })).stderr, /Nothing of hollowmere is published in s3:/)
    assertFault(await pulled({ live: null }), 1, /its content is not Cardlake's/)
  })

  const secret = "a key of somebody else"
  assert.strictEqual((await tiny.inFolder("nightly")).code, 0)
  writeFileSync(join(tiny.work, "secret"), secret)

  /** Puts something else in place of a file or folder of the home. */
  const instead = (pattern: string, put: (path: string) => void) => (root: string) => {
    const [path = ""] = globSync(pattern, { cwd: root })
    rmSync(join(root, path), { recursive: true })
    put(join(root, path))
  }
  const link = (path: string) => symlinkSync(join(tiny.work, "secret"), path)
  const pipe = (path: string) => void execFileSync("mkfifo", [path])
  const file = (path: string) => writeFileSync(path, secret)

  const homes: Readonly<Record<string, (root: string) => void>> = {
    "that is a file": instead("", file),
    "whose current.json is a pipe": instead("current.json", pipe),
    "whose marker is a pipe": instead("cardlake.json", pipe),
    "with a link out of it for a table": instead("snapshots/*/*/products.parquet", link),
    "with a pipe for a table": instead("snapshots/*/*/products.parquet", pipe),
    "with a link out of it for a manifest": instead("snapshots/*/*/manifest.json", link),
    "with a link out of it for a snapshot": instead("snapshots/*/*", (path) => symlinkSync(tiny.work, path)),
    "with a file for its snapshots": instead("snapshots", file)
  }

  // In `npm test` a pipe, a link and a file.
  for (const [what, spoil] of tried(Object.entries(homes), (_, index) => [1, 3, 7].includes(index)))
    it(`a home ${what} is not moved into a bucket, and nothing that lies outside of it is`, async () => {
      const from = join(tiny.work, "spoiled")
      rmSync(from, { recursive: true, force: true })
      cpSync(join(tiny.work, "folder"), from, { recursive: true })
      spoil(from)
      tiny.store.objects.clear()
      const { code, stderr } = await cardlake(["move", "--from", from, "--to", address], { env: tiny.env(address) })
      assert.strictEqual(code, 1, stderr)
      assert.match(stderr, /^cardlake: .+/m)
      assert.notMatch(stderr, /\n\s+at .*:\d+/)
      assert.isTrue([...tiny.store.objects.values()].every(({ body }) => !body.includes(secret)))
      assert.isTrue(existsSync(from))
    })
})

describe("a home in a bucket from outside", async () => {
  /** One night. */
  const { keyOf, lose, putBack, tiny } = await savedBucket(({ run }) => run("nightly"))

  it("a night in a bucket is seen from outside: by the bucket's address, the attempt and the worker, and not by a folder of this machine", async () => {
    tiny.store.objects.clear()
    const collector = await startCollector()
    const env = { ...tiny.env(address), OPENLINEAGE_URL: collector.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const { code, stderr } = await startCardlake(["nightly"], { env }).ended
    await collector.stop()
    assert.strictEqual(code, 0, stderr)
    const bodies = collector.received.map(({ body }) => body)
    const end = bodies.find((body) => body.includes('"COMPLETE"')) ?? "{}"
    const { outputs } = JSON.parse(end) as { outputs: ReadonlyArray<{ namespace: string; name: string }> }
    assert.deepInclude(
      outputs.map(({ name, namespace }) => [namespace, name]),
      ["s3://lakes", "tiny/products"]
    )
    const spans = bodies.filter((body) => body.includes("resourceSpans")).join()
    for (const name of ["service.instance.id", "cardlake.attempt", "cardlake.game"]) assert.include(spans, `"${name}"`)
    assert.include(bodies.find((body) => body.includes("resourceMetrics")) ?? "", '"service.instance.id"')
    for (const body of bodies) assert.notInclude(body, tmpdir())
  })

  it("doctor counts the requests of the next night of a bucket, as it knows what is published there", async () => {
    const findings = JSON.parse((await tiny.run("doctor", "--json")).stdout) as ReadonlyArray<{
      readonly name: string
      readonly night?: { readonly requests: number }
    }>
    const { requests } = JSON.parse((await tiny.run("nightly", "--json")).stdout) as { readonly requests: number }
    assert.strictEqual(findings.find(({ name }) => name === "limits")?.night?.requests, requests)
  })

  it("a copy of what nobody has published is refused, and leaves no folder", async () => {
    tiny.store.objects.clear()
    const to = join(tiny.work, "copy")
    const pulled = () => cardlake(["pull", "--home", address, "--to", to], { env: tiny.store.env })
    const misspelt = await pulled()
    assert.strictEqual(misspelt.code, 1)
    assert.include(misspelt.stderr, `Nothing has been published at ${address}. Correct CARDLAKE_HOME or --home`)
    // The document of the lake is there, but no game.
    assert.strictEqual((await tiny.run("plan")).code, 0)
    assert.strictEqual((await pulled()).code, 1)
    assert.isFalse(existsSync(to))
  })

  it("a night in a bucket names the copy in which its rows can be queried", async () => {
    const odd = await tinyBucket({ [gameId]: [{ products: [card(1, { surprise: 1 })] }] })
    const { stdout } = await odd.run("nightly", "--home", address)
    assert.include(stdout, 'cardlake query --home DIR "from drift"')
    assert.include(stdout, `\nDIR is a copy of the lake: cardlake pull --home ${address} --to DIR\n`)
    await odd.stop()
  })

  it.runIf(isFull)(
    "a worker does not wait where others have learned the limits of the key, and nothing of them is used",
    async () => {
      const { waitedSeconds } = JSON.parse((await tiny.run("nightly", "--json")).stdout) as { waitedSeconds: number }
      assert.isBelow(waitedSeconds, 1)
    }
  )

  it.runIf(isFull)("what somebody put beside a home in a bucket, such as a lake.duckdb, stays there", async () => {
    const [named] = [...tiny.store.objects.values()]
    assert.isDefined(named)
    tiny.store.objects.set("tiny/lake.duckdb", named)
    for (const week of [1, 3]) {
      tiny.store.state.clock = week * 8 * 24 * 3600 * 1000
      assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
    }
    assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
    assert.strictEqual(tiny.store.objects.get("tiny/lake.duckdb"), named)
  })

  it("a game that a bucket does not have is refused with those that it has, whatever the command", async () => {
    const keys = () => [...tiny.store.objects.keys()].filter((one) => !one.includes("/probes/"))
    const before = keys()
    for (const [command, ...rest] of [
      ["release", "--yes"],
      ["rollback", "--yes"],
      ["diff"],
      ["compact"],
      ["replay"],
      ["backfill"]
    ]) {
      const { code, stderr } = await tiny.run(command ?? "", "nosuch", ...rest)
      assert.deepStrictEqual([code, stderr.includes(`It has: ${gameId}`)], [2, true], `${command}: ${stderr}`)
    }
    assert.deepStrictEqual(keys(), before)
  })

  it("a copy whose first pull failed, and one that lost its lake, say to pull again, which mends them", async () => {
    const copy = join(tiny.work, "broken")
    const query = () => cardlake(["query", "--home", copy, "select 1"])
    const pull = async () => (await tiny.run("pull", "--to", copy)).code
    const again = new RegExp(`Run again: cardlake pull --home ${address} --to ${copy}$`)
    const key = keyOf(/\.source_prices\./)
    lose(key)
    assert.strictEqual(await pull(), 1)
    const ended = await query()
    assertFault(ended, 1, again)
    assert.include(ended.stderr, `There is no lake in ${copy} yet, no pull from ${address} has finished.`)
    putBack(key)
    assert.deepStrictEqual([await pull(), (await query()).code], [0, 0])
    rmSync(join(copy, "lake.duckdb"))
    const gone = await query()
    assertFault(gone, 1, again)
    assert.include(gone.stderr, `lake.duckdb is missing in ${copy}, a copy of ${address}.`)
    assert.deepStrictEqual([await pull(), (await query()).code], [0, 0])
  })
})
