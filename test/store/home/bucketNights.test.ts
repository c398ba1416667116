import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startCollector } from "../../night/observe/Collector.ts"
import { cardlake, remove, settings, startSandbox, temporaryFolder } from "../../pipelines/cli.ts"
import type { Ended } from "../../pipelines/runHere.ts"
import { type ConditionalStore, startConditionalStore } from "./conditionalStore.ts"
import { lakeSums } from "./lakeSums.ts"

const address = "s3://lakes/some/home"

interface Report {
  readonly run: string
  readonly requests: number
  readonly budget: { readonly key: string; readonly tokens: number; readonly refused: number }
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly verdict: string; readonly snapshot: string | null }>
}

const verdicts = ({ stdout }: Ended) =>
  (JSON.parse(stdout) as Report).games.map(({ gameId, verdict }) => `${gameId} ${verdict}`).toSorted()

/** The same commands in a folder and in a bucket, one after the other. */
describe("a home in a bucket", () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let store: ConditionalStore
  let folder: string
  beforeAll(async () => {
    sandbox = await startSandbox()
    store = await startConditionalStore()
    folder = temporaryFolder()
  })
  afterAll(async () => {
    await sandbox.stop()
    await store.stop()
    remove(folder)
  })
  const inHome = (home: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    cardlake(args, { env: { ...settings(sandbox.url, home), ...store.env, ...env } })
  const inBoth = async (args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
    const there = await inHome(join(folder, "folder"), args, env)
    const inBucket = await inHome(address, args, env)
    assert.strictEqual(inBucket.code, there.code, `${args.join(" ")}: ${inBucket.stderr}${inBucket.stdout}`)
    return { there, inBucket }
  }
  const sameLake = async () => {
    const pulled = await cardlake(["pull", "--home", address, "--to", join(folder, "copy"), "--json"], {
      env: store.env
    })
    assert.strictEqual(pulled.code, 0, pulled.stderr)
    assert.deepStrictEqual(await lakeSums(join(folder, "copy")), await lakeSums(join(folder, "folder")))
  }

  it("publishes, finds nothing new, and publishes what is new, as one in a folder does", async () => {
    const first = await inBoth(["nightly", "--json"])
    assert.deepStrictEqual(verdicts(first.inBucket), verdicts(first.there))
    const { budget, requests } = JSON.parse(first.inBucket.stdout) as Report
    assert.match(budget.key, /^[0-9a-f]{4}$/)
    assert.isAtLeast(budget.tokens, requests)
    assert.strictEqual(budget.refused, 0)
    assert.notInclude(first.there.stdout, '"budget"')
    await sandbox.deploy("tidewrack")
    await sandbox.deploy("emberfall")
    const second = await inBoth(["nightly", "--json"])
    assert.deepStrictEqual(verdicts(second.inBucket), [
      "clockwork-orchard unchanged",
      "emberfall published",
      "tidewrack published"
    ])
    const figures = join(folder, "night.prom")
    const collector = await startCollector()
    const third = await inBoth(["nightly", "--json", "--prometheus", figures], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url
    })
    await collector.stop()
    const metrics = collector.received.filter(({ path }) => path === "/v1/metrics").map(({ body }) => body)
    for (const name of ["tokens", "waits", "refused"]) assert.include(metrics.join(), `"cardlake.budget.${name}"`)
    assert.match(readFileSync(figures, "utf8"), /^cardlake_last_run_key_tokens\{key="[0-9a-f]{4}"\} [1-9]/m)
    assert.deepStrictEqual(verdicts(third.inBucket), verdicts(third.there))
    await sameLake()
  })

  it("holds, releases, rolls back, compares, replays and lists", async () => {
    await sandbox.deploy("tidewrack")
    const held = await inBoth(["nightly", "tidewrack", "--json"], { CARDLAKE_HOLD_REFUSED: "0" })
    assert.deepStrictEqual(verdicts(held.inBucket), ["tidewrack held"])
    await inBoth(["release", "tidewrack", "--yes", "--why", "looked at"])
    const compared = await inBoth(["diff", "tidewrack", "--json"])
    const { changes } = JSON.parse(compared.inBucket.stdout) as { changes: unknown }
    assert.deepStrictEqual(changes, (JSON.parse(compared.there.stdout) as { changes: unknown }).changes)
    await inBoth(["replay", "tidewrack"])
    await inBoth(["rollback", "emberfall", "--yes"])
    await sameLake()
    const lists = await inBoth(["snapshots", "--json"])
    const states = (text: string) =>
      (JSON.parse(text) as ReadonlyArray<{ gameId: string; state: string }>).map(
        ({ gameId, state }) => `${gameId} ${state}`
      )
    assert.deepStrictEqual(states(lists.inBucket.stdout), states(lists.there.stdout))
    const runs = await inBoth(["runs", "--json"])
    const kinds = (text: string) => (JSON.parse(text) as ReadonlyArray<{ kind: string }>).map(({ kind }) => kind)
    assert.deepStrictEqual(kinds(runs.inBucket.stdout), kinds(runs.there.stdout))
  })

  it("exports the same rows", async () => {
    const drops = [join(folder, "drop of folder"), join(folder, "drop of bucket")] as const
    const there = await inHome(join(folder, "folder"), ["export", "--to", drops[0], "--backfill", "--json"])
    const inBucket = await inHome(address, ["export", "--to", drops[1], "--backfill", "--json"])
    // A night's own export finds nothing that is missing.
    const night = await inHome(address, ["nightly", "--export", drops[1], "--json"])
    await inHome(join(folder, "folder"), ["nightly"])
    const { export: exported } = JSON.parse(night.stdout) as { export: { verdict: string; reason: string | null } }
    assert.deepInclude(exported, { verdict: "exported", reason: null })
    assert.strictEqual((await cardlake(["export", "--to", drops[1], "--verify"])).code, 0)
    const rows = ({ code, stderr, stdout }: Ended) => {
      assert.strictEqual(code, 0, stderr)
      const { games } = JSON.parse(stdout) as {
        games: ReadonlyArray<{ gameId: string; partitions: ReadonlyArray<{ table: string; dt: string; rows: number }> }>
      }
      return games.flatMap(({ gameId, partitions }) =>
        partitions.map(({ dt, rows, table }) => `${gameId} ${table} ${dt} ${rows}`)
      )
    }
    assert.deepStrictEqual(rows(inBucket), rows(there))
  })

  it("asks for days past, and takes the answers in with the next night", async () => {
    const asked = await inBoth(["backfill", "clockwork-orchard", "--where", "market_value >= 20", "--json"])
    const stored = ({ stdout }: Ended) =>
      (JSON.parse(stdout) as { games: ReadonlyArray<{ queued: number; stored: number; left: number }> }).games.map(
        ({ left, queued, stored }) => [queued, stored, left]
      )
    assert.deepStrictEqual(stored(asked.inBucket), stored(asked.there))
    assert.isAbove(stored(asked.inBucket)[0]?.[1] ?? 0, 0)
    await inBoth(["nightly", "clockwork-orchard"])
    const again = await inBoth(["backfill", "clockwork-orchard", "--where", "market_value >= 20", "--json"])
    assert.deepStrictEqual(stored(again.inBucket), stored(again.there))
  })

  it("reads by feed files, and uses those of an earlier night again", async () => {
    const feeds = { CARDLAKE_ROAD: "feeds" }
    await sandbox.deploy("clockwork-orchard")
    const first = await inBoth(["nightly", "clockwork-orchard", "--json"], feeds)
    assert.deepStrictEqual(verdicts(first.inBucket), verdicts(first.there))
    await sandbox.deploy("clockwork-orchard")
    const second = await inBoth(["nightly", "clockwork-orchard", "--json"], feeds)
    assert.deepStrictEqual(verdicts(second.inBucket), verdicts(second.there))
    const requests = ({ stdout }: Ended) =>
      (JSON.parse(stdout) as { games: ReadonlyArray<{ requests: number }> }).games.map(({ requests }) => requests)
    assert.deepStrictEqual(requests(second.inBucket), requests(second.there))
    await sameLake()
  })

  it("prunes, and keeps what the history says", async () => {
    await sandbox.deploy("clockwork-orchard")
    await inBoth(["nightly", "clockwork-orchard"])
    const dry = await inBoth(["prune", "--keep-last", "1", "--json"])
    assert.include(dry.inBucket.stdout, '"isDryRun":true')
    await inBoth(["prune", "--keep-last", "1", "--yes"])
    await inBoth(["compact"])
    await sameLake()
    await sandbox.deploy("emberfall")
    await inBoth(["nightly", "emberfall"])
  })

  it("says of any other command that a copy is needed, and of a copy that it is one", async () => {
    const asked = await inHome(address, ["query", "select 1"])
    assert.strictEqual(asked.code, 2)
    assert.match(asked.stderr, /needs the lake on this machine.*cardlake pull --home s3:\/\/lakes\/some\/home --to DIR/)
    const written = await inHome(join(folder, "copy"), ["nightly"])
    assert.strictEqual(written.code, 1)
    assert.match(written.stderr, /is a copy of s3:\/\/lakes\/some\/home/)
  })

  it("is examined without being read: its store, each game's last reading, what is held and what is left over", async () => {
    const { code, stdout } = await inHome(address, ["doctor", "--json"])
    const findings = JSON.parse(stdout) as ReadonlyArray<{ name: string; ok: boolean; says: string }>
    assert.strictEqual(code, 0, stdout)
    const says = (name: string) => findings.find((one) => one.name === name)?.says ?? ""
    assert.match(says("home"), /lets no writer overwrite.* No document names \d+ objects of .*nobody is at work/)
    assert.match(says("readings"), /^Read last: .*tidewrack \d+(ms|s|m).* ago/)
    assert.strictEqual(says("held"), "No game is held")
    assert.match(says("age"), /^The newest reading is/)
  })

  it("moves into another bucket's prefix by way of a folder, and is the same", async () => {
    const out = join(folder, "moved out")
    const moved = await cardlake(["move", "--from", address, "--to", out], { env: store.env })
    assert.strictEqual(moved.code, 0, moved.stderr)
    assert.deepStrictEqual(await lakeSums(out), await lakeSums(join(folder, "folder")))
    assert.strictEqual((await inHome(out, ["replay", "tidewrack"])).code, 0)
    assert.strictEqual((await inHome(out, ["doctor"])).code, 0)
    const again = "s3://lakes/moved"
    assert.strictEqual((await cardlake(["move", "--from", out, "--to", again], { env: store.env })).code, 0)
    const refused = await cardlake(["move", "--from", out, "--to", again], { env: store.env })
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "Something is at s3://lakes/moved already")
    const night = await inHome(again, ["nightly", "--json"])
    assert.deepStrictEqual(verdicts(night), [
      "clockwork-orchard unchanged",
      "emberfall unchanged",
      "tidewrack unchanged"
    ])
  })

  it("leaves own cards behind, or takes them along to be found in every copy", async () => {
    const [from, copy, copied] = [join(folder, "moved out"), join(folder, "copy of mine"), join(folder, "copy of all")]
    const binder = join(folder, "secretbinder.csv")
    writeFileSync(binder, "product_id,quantity,paid,currency\n10016,77,1234.5678,EUR\n")
    const ran = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await cardlake(args, { env: store.env })
      assert.strictEqual(code, 0, stderr)
      return stdout
    }
    const cards = (home: string) => ran("query", "--home", home, "--csv", "select cards, paid from collection_cards")
    await ran("collection", "import", binder, "--home", from)
    await ran("watch", "add", "10016", "--below", "5", "--home", from)
    await ran("move", "--from", from, "--to", "s3://lakes/without")
    assert.isEmpty([...store.objects.keys()].filter((key) => key.startsWith("without/own")))
    assert.include(await ran("move", "--from", from, "--to", "s3://lakes/with", "--with-collection"), "secretbinder")

    await ran("pull", "--home", "s3://lakes/with", "--to", copied)
    assert.isFalse(existsSync(join(copied, "own")))
    await ran("pull", "--home", "s3://lakes/with", "--to", copy, "--with-collection")
    assert.include(await cards(copy), "77,1234.5678")
    assert.include(await ran("watch", "list", "--home", copy), "below 5")
    assert.include(readFileSync(join(copy, "own", "own.sql"), "utf8"), copy)
    // The same again, which removes nothing that it did not bring, and back into a folder.
    mkdirSync(join(copy, "own", "imports", "theirs"))
    await ran("pull", "--home", "s3://lakes/with", "--to", copy, "--with-collection")
    assert.isTrue(existsSync(join(copy, "own", "imports", "theirs")))
    const back = join(folder, "moved back")
    await ran("move", "--from", "s3://lakes/with", "--to", back, "--with-collection")
    assert.include(await cards(back), "77,1234.5678")

    // What was imported into the copy since is nobody's to replace.
    await ran("collection", "import", binder, "--name", "another", "--home", copy)
    const refused = await cardlake(["pull", "--home", "s3://lakes/with", "--to", copy, "--with-collection"], {
      env: store.env
    })
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /own has cards or watched prices of its own, .* Leave out --with-collection/)
    assert.match(await ran("collection", "list", "--home", copy), /another[\s\S]*secretbinder/)
  })

  it("leaves no secret in the store, and nothing of itself on this machine", () => {
    for (const [key, { body }] of store.objects) assert.notInclude(body.toString("latin1"), "secret-of-the-store", key)
  })
})
