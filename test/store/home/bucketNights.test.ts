import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repricedGame } from "../lake/invented.ts"
import { startCollector } from "../../night/observe/Collector.ts"
import { cardlake } from "../../pipelines/cli.ts"
import { isFull } from "../../tried.ts"
import type { Ended } from "../../pipelines/runHere.ts"
import { address, bucketHere, lakeSums, said } from "./tinyBucket.ts"

interface Report {
  readonly requests: number
  readonly budget: { readonly key: string; readonly tokens: number; readonly refused: number }
  readonly games: ReadonlyArray<{ readonly requests: number }>
  readonly export: { readonly verdict: string; readonly reason: string | null }
}
const report = ({ stdout }: Ended) => JSON.parse(stdout) as Report

const feeds = { CARDLAKE_VIA: "feeds" }

/** The same commands in a folder and in a bucket, one after the other. */
describe("a home in a bucket", async () => {
  const tiny = await bucketHere({
    birch: repricedGame("birch", { days: 6 }),
    cedar: repricedGame("cedar", { without: 2 })
  })
  const inFolder = (...path: ReadonlyArray<string>) => join(tiny.work, ...path)
  const inHome = (home: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    cardlake(args, { env: tiny.env(home, env) })
  const inBoth = async (args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
    const there = await inHome(inFolder("folder"), args, env)
    const inBucket = await inHome(address, args, env)
    assert.strictEqual(inBucket.code, there.code, `${args.join(" ")}: ${inBucket.stderr}${inBucket.stdout}`)
    return { there, inBucket }
  }
  const deploy = async (...games: ReadonlyArray<string>) => {
    for (const game of games) await tiny.sandbox.deploy(game)
  }
  const sameLake = async () => assert.deepStrictEqual(await tiny.pulled(), await tiny.folderSums())

  it("publishes, holds, and finds nothing new, as one in a folder does", async () => {
    const first = await inBoth(["nightly", "--json"])
    assert.deepStrictEqual(said(first.inBucket), said(first.there))
    const { budget, requests } = report(first.inBucket)
    assert.match(budget.key, /^[0-9a-f]{4}$/)
    assert.isAtLeast(budget.tokens, requests)
    assert.strictEqual(budget.refused, 0)
    assert.notInclude(first.there.stdout, '"budget"')
    await deploy("birch", "cedar")
    const second = await inBoth(["nightly", "--json"])
    assert.deepStrictEqual(said(second.inBucket), ["birch published", "cedar held"])
    const figures = inFolder("night.prom")
    const collector = await startCollector()
    const third = await inHome(address, ["nightly", "birch", "--json", "--prometheus", figures], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url
    })
    await inHome(inFolder("folder"), ["nightly", "birch"])
    await collector.stop()
    const metrics = collector.received.filter(({ path }) => path === "/v1/metrics").map(({ body }) => body)
    for (const name of ["tokens", "waits", "refused"]) assert.include(metrics.join(), `"cardlake.budget.${name}"`)
    assert.match(readFileSync(figures, "utf8"), /^cardlake_last_run_key_tokens\{key="[0-9a-f]{4}"\} [1-9]/m)
    assert.deepStrictEqual(said(third), ["birch unchanged"])
  })

  it("releases, rolls back, compares, replays and lists", async () => {
    await inBoth(["release", "cedar", "--yes", "--why", "looked at"])
    const compared = await inBoth(["diff", "cedar", "--json"])
    const { changes } = JSON.parse(compared.inBucket.stdout) as { changes: unknown }
    assert.deepStrictEqual(changes, (JSON.parse(compared.there.stdout) as { changes: unknown }).changes)
    assert.strictEqual((await inHome(address, ["replay", "cedar"])).code, 0)
    await inBoth(["rollback", "birch", "--yes"])
    await sameLake()
    for (const [command, ...names] of [
      ["snapshots", "gameId", "state"],
      ["runs", "kind"]
    ]) {
      const { inBucket, there } = await inBoth([command ?? "", "--json"])
      const [listed, wanted] = [inBucket, there].map(({ stdout }) =>
        (JSON.parse(stdout) as ReadonlyArray<Record<string, string>>).map((row) => names.map((name) => row[name]))
      )
      assert.deepStrictEqual(listed, wanted)
    }
  })

  it("asks for days past, takes the answers in with the next night, and exports the same rows", async () => {
    const ask = async () => {
      const { inBucket, there } = await inBoth(["backfill", "birch", "--where", "product_id < 3", "--json"])
      const [asked, wanted] = [inBucket, there].map(({ stdout }) =>
        (JSON.parse(stdout) as { games: ReadonlyArray<{ queued: number; stored: number; left: number }> }).games.map(
          ({ left, queued, stored }) => [queued, stored, left]
        )
      )
      assert.deepStrictEqual(asked, wanted)
      return asked?.[0]?.[1] ?? 0
    }
    assert.isAbove(await ask(), 0)
    const drops = [inFolder("drop of folder"), inFolder("drop of bucket")] as const
    const homes = [inFolder("folder"), address] as const
    const rows = async (at: 0 | 1) => {
      const { code, stderr, stdout } = await inHome(homes[at], ["export", "--to", drops[at], "--backfill", "--json"])
      assert.strictEqual(code, 0, stderr)
      const { games } = JSON.parse(stdout) as {
        games: ReadonlyArray<{ gameId: string; partitions: ReadonlyArray<{ table: string; dt: string; rows: number }> }>
      }
      return games.flatMap(({ gameId, partitions }) =>
        partitions.map(({ dt, rows, table }) => `${gameId} ${table} ${dt} ${rows}`)
      )
    }
    assert.deepStrictEqual(await rows(1), await rows(0))
    // A night's own export finds nothing that is missing.
    await deploy("birch")
    const nights = await Promise.all(
      homes.map((home, at) => inHome(home, ["nightly", "birch", "--export", drops[at] ?? "", "--json"], feeds))
    )
    for (const night of nights) {
      assert.deepStrictEqual(said(night), ["birch published"])
      assert.deepInclude(report(night).export, { verdict: "exported", reason: null })
    }
    assert.strictEqual((await cardlake(["export", "--to", drops[1], "--verify"])).code, 0)
    assert.strictEqual(await ask(), 0)
  })

  it.runIf(isFull)("reads by feed files, and uses those of an earlier night again", async () => {
    await deploy("birch")
    const { inBucket, there } = await inBoth(["nightly", "birch", "--json"], feeds)
    assert.deepStrictEqual(said(inBucket), said(there))
    const requests = (ended: Ended) => report(ended).games.map((game) => game.requests)
    assert.deepStrictEqual(requests(inBucket), requests(there))
  })

  it("prunes, compacts, and keeps what the history says", async () => {
    const dry = await inBoth(["prune", "--keep-last", "1", "--json"])
    assert.include(dry.inBucket.stdout, '"isDryRun":true')
    await inBoth(["prune", "--keep-last", "1", "--yes"])
    await inBoth(["compact"])
    await sameLake()
  })

  it("says of any other command that a copy is needed, and of a copy that it is one", async () => {
    const asked = await inHome(address, ["query", "select 1"])
    assert.strictEqual(asked.code, 2)
    assert.match(asked.stderr, /needs the lake on this machine.*cardlake pull --home s3:\/\/lakes\/tiny --to DIR/)
    const written = await inHome(inFolder("copy-0"), ["nightly"])
    assert.strictEqual(written.code, 1)
    assert.match(written.stderr, /is a copy of s3:\/\/lakes\/tiny/)
  })

  it("is examined without being read: its store, each game's last reading, what is held and what is left over", async () => {
    tiny.store.objects.set(`tiny/games/birch/objects/20260101T000000000Z-00000000/${"0".repeat(64)}.raw.x.json.gz`, {
      body: Buffer.from("left by a runner that died"),
      tag: '"x"',
      at: new Date(Date.now() - 2 * 3600 * 1000)
    })
    const { code, stdout } = await inHome(address, ["doctor", "--json"])
    const findings = JSON.parse(stdout) as ReadonlyArray<{ name: string; ok: boolean; says: string }>
    assert.strictEqual(code, 0, stdout)
    const says = (name: string) => findings.find((one) => one.name === name)?.says ?? ""
    assert.match(says("home"), /supports conditional writes.* Unreferenced: \d+ objects? of .*no run is active/)
    assert.match(says("readings"), /^Start of the last reading: .*cedar \d+(ms|s|m).* ago/)
    assert.strictEqual(says("held"), "No game is held")
    assert.match(says("age"), /^The newest reading began/)
  })

  const ran = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await cardlake(args, { env: tiny.store.env })
    assert.strictEqual(code, 0, stderr)
    return stdout
  }

  it("moves into another bucket's prefix by way of a folder, and is the same", async () => {
    const [out, again] = [inFolder("moved out"), "s3://lakes/moved"]
    await ran("move", "--from", address, "--to", out)
    assert.deepStrictEqual(await lakeSums(out), await tiny.folderSums())
    assert.strictEqual((await inHome(out, ["replay", "cedar"])).code, 0)
    assert.strictEqual((await inHome(out, ["doctor"])).code, 0)
    await ran("move", "--from", out, "--to", again)
    const refused = await cardlake(["move", "--from", out, "--to", again], { env: tiny.store.env })
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "s3://lakes/moved already exists")
    assert.deepStrictEqual(said(await inHome(again, ["nightly", "birch", "--json"], feeds)), ["birch unchanged"])
  })

  it("leaves own cards behind, or takes them along to be found in every copy", async () => {
    const [from, copy, all] = [inFolder("moved out"), inFolder("copy of mine"), "s3://lakes/with"]
    const binder = inFolder("secretbinder.csv")
    writeFileSync(binder, "product_id,quantity,paid,currency\n3,77,1234.5678,EUR\n")
    const cards = (home: string) => ran("query", "--home", home, "--csv", "select cards, paid from collection_cards")
    await ran("collection", "import", binder, "--game", "birch", "--home", from)
    await ran("watch", "add", "3", "--game", "birch", "--below", "50", "--home", from)
    const decided = ["answers.json", "confirmed-ids.json"]
    for (const name of decided) writeFileSync(join(from, "own", name), "{}")
    await ran("move", "--from", from, "--to", "s3://lakes/without")
    assert.isEmpty([...tiny.store.objects.keys()].filter((key) => key.startsWith("without/own")))
    assert.include(await ran("move", "--from", from, "--to", all, "--with-collection"), "secretbinder")

    await ran("pull", "--home", all, "--to", inFolder("copy of all"))
    assert.isFalse(existsSync(inFolder("copy of all", "own")))
    await ran("pull", "--home", all, "--to", copy, "--with-collection")
    assert.include(await cards(copy), "77,1234.5678")
    assert.include(await ran("watch", "list", "--home", copy), "below 50")
    assert.include(readFileSync(join(copy, "own", "own.sql"), "utf8"), copy)
    for (const name of decided) assert.isTrue(existsSync(join(copy, "own", name)), name)
    if (!isFull) return
    // The same again, which removes nothing that it did not bring, and back into a folder.
    mkdirSync(join(copy, "own", "imports", "theirs"))
    await ran("pull", "--home", all, "--to", copy, "--with-collection")
    assert.isTrue(existsSync(join(copy, "own", "imports", "theirs")))
    const back = inFolder("moved back")
    await ran("move", "--from", all, "--to", back, "--with-collection")
    assert.include(await cards(back), "77,1234.5678")

    // What was imported into the copy since is nobody's to replace.
    rmSync(join(copy, "own", "answers.json"))
    await ran("collection", "import", binder, "--game", "birch", "--name", "another", "--home", copy)
    const again = ["pull", "--home", all, "--to", copy, "--with-collection"]
    const refused = await cardlake(again, { env: tiny.store.env })
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /own already has cards or watched prices, .* Leave out --with-collection/)
    assert.match(await ran("collection", "list", "--home", copy), /another[\s\S]*secretbinder/)
  })

  it("leaves no secret in the store, and nothing of itself on this machine", () => {
    for (const [key, { body }] of tiny.store.objects)
      assert.notInclude(body.toString("latin1"), "secret-of-the-store", key)
  })
})
