import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Chromium, noChromium, openPage } from "../desk/explorer/chromium.ts"
import { ownPostgres } from "../night/cluster/ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "../night/cluster/postgresPrograms.ts"
import { startConditionalStore } from "../store/home/conditionalStore.ts"
import { bucket, startStore } from "../warehouse/Store.ts"
import {
  cardlake as ofCheckout,
  json,
  node,
  remove,
  settings,
  start,
  startCardlake,
  startSandbox
} from "../pipelines/cli.ts"
import { type Installed, installPackage, oldestNode } from "./installPackage.ts"

const canUnshare = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0
if (!canUnshare) console.warn("There is no unshare for a network of loopback alone: the demo in it is skipped")
if (noChromium !== null) console.warn(`${noChromium}: the pages of the package are not opened in one`)

describe.each(["the pinned Node", "the oldest Node"])("the package on %s", (which) => {
  let cardlake: Installed
  beforeAll(async () => {
    cardlake = installPackage(which === "the pinned Node" ? node : oldestNode())
    const { code, stderr } = await cardlake.start(["demo", "--home", "demo"]).ended
    assert.strictEqual(code, 0, stderr)
  })
  afterAll(() => remove(cardlake.all))

  const run = (args: ReadonlyArray<string>, env?: Record<string, string>) => cardlake.start(args, env).ended
  const verdictOf = (ended: Awaited<ReturnType<typeof run>>) => (json(ended) as { verdict: string }).verdict

  it.each(["files", "iceberg", "delta", "ducklake"])("writes a drop as %s, and reads it back", async (format) => {
    const to = `drop-${format}`
    const exported = await run(["export", "--home", "demo", "--to", to, "--format", format, "--backfill"])
    assert.deepStrictEqual([exported.code, exported.stderr], [0, ""])
    const verified = await run(["export", "--home", "demo", "--to", to, "--verify"])
    assert.strictEqual(verified.code, 0, verified.stdout + verified.stderr)
  })

  it("fills a bucket, and reads it back", () =>
    Effect.gen(function* () {
      yield* startStore
      const drop = ["export", "--home", "demo", "--to", `s3://${bucket}/drop`]
      const exported = yield* Effect.promise(() => run(drop))
      assert.deepStrictEqual([exported.code, exported.stderr], [0, ""])
      const verified = yield* Effect.promise(() => run([...drop, "--verify"]))
      assert.strictEqual(verified.code, 0, verified.stdout + verified.stderr)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("reads a night of a bucket in parts, and keeps a copy of it", async () => {
    const market = await startSandbox()
    const store = await startConditionalStore()
    const home = "s3://lakes/nights"
    const where = { ...settings(market.url, home), ...store.env }
    const { games, night } = json(await run(["plan", "--json"], where)) as { games: Array<unknown>; night: string }
    const parts = await Promise.all(
      games.map((_, index) => run(["nightly", "--index", String(index), "--part-of", night, "--json"], where))
    )
    const done = parts.map((part) => (json(part) as { done: string }).done)
    assert.deepStrictEqual([...new Set(done)], ["now"])
    assert.strictEqual(verdictOf(await run(["publish", night, "--json"], where)), "published")
    await market.stop()
    const pulled = await run(["pull", "--home", home, "--to", "copy"], where)
    assert.strictEqual(pulled.code, 0, pulled.stderr)
    const read = await run([
      "query",
      "--home",
      "copy",
      "--json",
      "select count(distinct game_id)::int games from products"
    ])
    assert.deepStrictEqual(json(read), [{ games: games.length }])
    const examined = await run(["doctor", "--home", home, "--json"], where)
    assert.strictEqual(examined.stderr, "")
    await store.stop()
  })

  it.skipIf(!hasPostgres)(
    `shares a night of a bucket among two workers, and repairs it (${whyNoPostgres})`,
    async () => {
      const market = await startSandbox()
      const store = await startConditionalStore()
      const postgres = await ownPostgres()
      const home = "s3://lakes/fleet"
      const where = { ...settings(market.url, home), ...store.env, CARDLAKE_CLUSTER: postgres.url }
      const workers = [1, 2].map(() => cardlake.start(["worker"], where))
      assert.strictEqual(verdictOf(await run(["nightly", "--json"], where)), "published")
      for (const worker of workers) worker.process.kill("SIGTERM")
      const ended = await Promise.all(workers.map((worker) => worker.ended))
      assert.deepStrictEqual(
        ended.map(({ code }) => code),
        [130, 130]
      )
      const table = [...store.objects.keys()].find((key) => /\/snapshots\/.*\/products\./.test(key)) ?? ""
      store.objects.delete(table)
      const repaired = await run(["doctor", "--repair", "--home", home, "--json"], where)
      assert.deepStrictEqual([repaired.code, (json(repaired) as { left: ReadonlyArray<string> }).left], [0, []])
      assert.strictEqual(verdictOf(await run(["nightly", "--json"], { ...where, CARDLAKE_CLUSTER: "" })), "unchanged")
      await Promise.all([market.stop(), store.stop(), postgres.remove()])
    }
  )

  it("goes on with a home of the checkout, and the checkout with its home", async () => {
    const market = await startSandbox()
    const lake = join(cardlake.cwd, "lake")
    const where = settings(market.url, lake)
    const verdicts = [verdictOf(await ofCheckout(["nightly", "emberfall", "--json"], { env: where }))]
    for (const night of [run, (args: ReadonlyArray<string>) => ofCheckout(args, { env: where }), run]) {
      await market.deploy("emberfall")
      verdicts.push(verdictOf(await night(["nightly", "emberfall", "--json"], where)))
    }
    await market.stop()
    assert.deepStrictEqual(verdicts, ["published", "published", "published", "published"])
    const nights = "select count(distinct snapshot)::int nights from nights"
    const answers = [
      await run(["query", "--json", nights], where),
      await ofCheckout(["query", "--json", nights], { env: where })
    ]
    assert.deepStrictEqual(answers.map(json), [[{ nights: 4 }], [{ nights: 4 }]])
  })

  it.each([
    ["a wrong command", ["nightlyy"], 2],
    ["no lake", ["query", "--home", "none", "select 1"], 1],
    ["no settings", ["nightly", "--home", "none"], 1]
  ] as const)("ends as the checkout does: %s", async (_, args, code) => {
    const there = await run(args)
    const here = await ofCheckout(args, { cwd: cardlake.cwd })
    assert.deepStrictEqual([there.code, there.stdout, there.stderr], [code, here.stdout, here.stderr])
  })

  it("keeps a schedule until it is told to end, as the checkout does", async () => {
    const args = ["schedule", "--cron", "0 3 1 1 *", "--home", "scheduled", "--health", "0"]
    const env = { CARDLAKE_URL: "http://127.0.0.1:9", CARDLAKE_API_KEY: "k" }
    const codes: Array<number | null> = []
    for (const service of [cardlake.start(args, env), startCardlake(args, { cwd: cardlake.cwd, env })]) {
      await service.shows("Next ")
      service.process.kill("SIGTERM")
      codes.push((await service.ended).code)
    }
    assert.isNotNull(codes[0])
    assert.strictEqual(codes[0], codes[1])
  })

  it.skipIf(!canUnshare)("plays the demo where there is no network but loopback", async () => {
    const program = join(cardlake.folder, "start.mjs")
    const script = 'ip link set lo up && exec "$0" "$@"'
    const onNode = which === "the pinned Node" ? node : oldestNode()
    const words = ["-rn", "sh", "-c", script, onNode, program, "demo", "--home", "offline"]
    const { code, stderr } = await start("unshare", words, { cwd: cardlake.cwd, env: { HOME: cardlake.home } }).ended
    assert.deepStrictEqual([code, stderr], [0, ""])
  })

  it.skipIf(noChromium !== null)("its pages open in a browser without a complaint", async () => {
    const explorer = await cardlake.serve(["explore", "--home", "demo", "--port", "0"])
    const game = "/games/emberfall"
    const lists = ["expansions", "movers", "spreads", "diff", "refusals", "audit"].map((name) => `${game}/${name}`)
    await Effect.gen(function* () {
      const { complaints, page } = yield* openPage({ viewport: { width: 1280, height: 900 } })
      for (const path of ["/", "/search?q=ember", "/console", ...lists, `${game}/expansions/305`]) {
        yield* Effect.promise(() => page.goto(explorer.url + path))
        assert.strictEqual(yield* Effect.promise(() => page.locator("h1").count()), 1, path)
        assert.deepStrictEqual(complaints, [], path)
      }
    }).pipe(Effect.provide(Chromium.layer), Effect.scoped, Effect.runPromise)
    await explorer.stop()
  })

  it("is upgraded to the next build: doctor has no complaint about the old home, and its nights go on", async () => {
    const market = await startSandbox()
    const where = settings(market.url, join(cardlake.cwd, "upgraded"))
    const version = async () => (json(await run(["--version", "--json"])) as { version: string }).version
    const [old, first] = [await version(), verdictOf(await run(["nightly", "emberfall", "--json"], where))]
    cardlake.upgrade()
    assert.notStrictEqual(await version(), old)
    const doctor = await run(["doctor"], where)
    assert.strictEqual(doctor.code, 0, doctor.stdout)
    assert.match(doctor.stdout, /^WARN doubt +Another version of Cardlake built the lake: /m)
    const counted = await run(["query", "--json", "select count(*)::int n from nights"], where)
    assert.deepStrictEqual(json(counted), [{ n: 1 }])
    await market.deploy("emberfall")
    const second = verdictOf(await run(["nightly", "emberfall", "--json"], where))
    assert.deepStrictEqual([first, second], ["published", "published"])
    const after = await run(["doctor"], where)
    await market.stop()
    assert.notInclude(after.stdout, "WARN")
    assert.strictEqual(after.code, 0, after.stdout)
  })

  it("contacted nothing but this machine in all this", () => {
    assert.isFalse(existsSync(cardlake.contacts), "a socket to elsewhere was refused")
  })
})
