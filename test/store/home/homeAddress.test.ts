import { assert, it, describe } from "@effect/vitest"
import { existsSync, mkdtempSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { bucketHere } from "./tinyBucket.ts"

describe("the address of a home", async () => {
  const tiny = await bucketHere()
  const work = mkdtempSync(join(tiny.work, "address-"))
  const at = (home: string, ...args: ReadonlyArray<string>) =>
    cardlake(args, { env: tiny.env(home), hasShortWaits: true, cwd: work })
  const isUntouched = () => assert.deepStrictEqual([[...tiny.store.objects.keys()], readdirSync(work)], [[], []])

  const secret = "s3://AKIA4711:s3cr3t@lakes/cards"
  const postgres = "postgres://nobody@127.0.0.1:9/fleet"
  const commands = [
    ["runs"],
    ["nightly", "--json"],
    ["runs", "--json"],
    ["nightly"],
    ["nightly", "--cluster", postgres],
    ["worker", "--cluster", postgres],
    ["schedule", "--cron", "0 3 * * *"],
    ["plan"],
    ["publish", "2026-11-23-1"],
    ["nightly", "magic", "--part-of", "2026-11-23-1"],
    ["pull", "--to", "copy"],
    ["export", "--to", "drop"],
    ["compact"],
    ["prune", "--keep-last", "1"],
    ["snapshots"],
    ["diff", "magic"],
    ["release", "magic", "--yes"],
    ["rollback", "magic", "--yes"],
    ["replay", "magic"],
    ["backfill", "magic"],
    ["fx", "rates.csv"],
    ["report"],
    ["query", "select 1"],
    ["search", "lotus"],
    ["describe"],
    ["explore", "--port", "0"],
    ["watch", "list"],
    ["collection", "list"],
    ["doctor", "--repair"],
    ["doctor"],
    ["doctor", "--json"],
    ["init", "folder"],
    ["init", "folder", "--json"]
  ]

  for (const command of tried(commands, (_, index) => index < 2))
    it(`cardlake ${command.join(" ")} tells nobody a home's address that may have a secret`, async () => {
      const isDoctor = command[0] === "doctor" && command[1] !== "--repair"
      for (const asFlag of [true, false]) {
        const { code, stderr, stdout } = asFlag
          ? await at("unused", ...command, "--home", secret)
          : await at(secret, ...command)
        assert.strictEqual(code, isDoctor ? 1 : 2, stderr)
        assert.match(stdout + stderr, /The home cannot be used: .*Keys do not belong in it/)
        assert.notMatch(stdout + stderr, /4711|s3cr3t/)
      }
      isUntouched()
      assert.deepStrictEqual(tiny.store.state.requests, [])
    })

  const faults: ReadonlyArray<readonly [string, RegExp]> = [
    ["s3://lakes/quest?x=1", /without a question mark/],
    ["s3://lakes/quest#x", /without a question mark or #/],
    ["s3://lakes/../x", /cannot contain \. or \.\./],
    ["s3:///cards", /it names no bucket/],
    ["s3://lakes/a//b", /two slashes in a row/],
    ["s3://lakes//cards", /two slashes in a row/]
  ]
  for (const [home, says] of faults)
    it(`${home} is no address of a home`, async () => {
      const { code, stderr } = await at("unused", "runs", "--home", home)
      assert.strictEqual(code, 2)
      assert.match(stderr, says)
      assert.notInclude(stderr, home)
      assert.deepStrictEqual(tiny.store.state.requests, [])
    })

  it("cardlake init makes no folder that is called like a bucket", async () => {
    const { code, stderr } = await at("s3://lakes/cards", "init", "folder")
    assert.strictEqual(code, 2)
    assert.match(stderr, /init needs a home in a folder/)
    assert.deepStrictEqual(readdirSync(work), [])
  })

  for (const to of ["s3://lakes/copy", "S3://lakes/copy", secret])
    it(`cardlake pull says that --to is a folder, and not ${to}`, async () => {
      const { code, stderr } = await at("s3://lakes/cards", "pull", "--to", to)
      assert.strictEqual(code, 2)
      assert.match(stderr, /pull copies a home from a bucket/)
      assert.notInclude(stderr, to)
      assert.deepStrictEqual(tiny.store.state.requests, [])
    })

  const misspelt = "s3://lakes/tinny"
  const says =
    /^cardlake: There is no home at s3:\/\/lakes\/tinny: nothing was ever stored there\. Check the address \(CARDLAKE_HOME or --home\), or create a home there with: cardlake nightly$/

  const strangers = [
    ["compact"],
    ["export"],
    ["prune", "--keep-last", "1"],
    ["prune", "--keep-last", "1", "--yes"],
    ["doctor", "--repair"],
    ["runs"],
    ["snapshots"],
    ["diff", gameId],
    ["release", gameId, "--yes"],
    ["rollback", gameId, "--yes"],
    ["replay", gameId],
    ["replay", gameId, "--refusals"],
    ["backfill", gameId]
  ]
  for (const command of tried(strangers, (_, index) => index < 2))
    it(`cardlake ${command.join(" ")} at an address where nothing is ends with 1, and leaves nothing there`, async () => {
      const drop = join(tiny.work, "drop")
      assertFault(await at(misspelt, ...command, ...(command[0] === "export" ? ["--to", drop] : [])), 1, says)
      assert.deepStrictEqual([...tiny.store.objects.keys()], [])
      assert.isFalse(existsSync(drop))
    })

  for (const command of [
    ["publish", "2026-11-23-1"],
    ["nightly", gameId, "--part-of", "2026-11-23-1"],
    ["nightly", "--index", "0", "--part-of", "2026-11-23-1"]
  ])
    it(`cardlake ${command.join(" ")} at such an address ends with 2, and does not take the night for the mistake`, async () => {
      assertFault(
        await at(misspelt, ...command),
        2,
        /^cardlake: There is no home at s3:\/\/lakes\/tinny: .* Check the address .* plan the first night there with: cardlake plan$/
      )
      assert.deepStrictEqual([...tiny.store.objects.keys()], [])
    })

  it("what lies there of others is no home", async () => {
    const other = { body: Buffer.from("{}"), tag: '"1"', at: new Date() }
    tiny.store.objects.set("tinny/drop.json", other)
    assertFault(await at(misspelt, "compact"), 1, says)
    assert.deepStrictEqual([...tiny.store.objects.keys()], ["tinny/drop.json"])
    tiny.store.objects.clear()
  })

  it("a home is not moved from where none is, neither from a bucket nor from a folder", async () => {
    const folder = join(tiny.work, "moved")
    assertFault(await at(misspelt, "move", "--from", misspelt, "--to", folder), 1, says)
    assert.isFalse(existsSync(folder))
    assertFault(await at(misspelt, "move", "--from", folder, "--to", misspelt), 1, /There is no lake in .*moved yet\./)
    assert.isFalse(existsSync(folder))
    assert.deepStrictEqual([...tiny.store.objects.keys()], [])
  })

  it("doctor has a doubt about an address where nothing is, as before the first night", async () => {
    const { code, stdout } = await at(misspelt, "doctor", "--json")
    const home = (JSON.parse(stdout) as ReadonlyArray<{ name: string; says: string; isDoubt?: boolean }>).find(
      ({ name }) => name === "home"
    )
    assert.deepStrictEqual([code, home?.isDoubt], [0, true])
    assert.include(
      home?.says,
      "There is no home yet: if there should be one, check the address (CARDLAKE_HOME or --home)"
    )
    assert.deepStrictEqual([...tiny.store.objects.keys()], [])
  })

  it("a night begins a home where none is", async () => {
    const { code, stdout } = await at("s3://lakes/begun", "nightly")
    assert.strictEqual(code, 0, stdout)
    assert.isTrue(tiny.store.objects.has("begun/lake/commits/0000000001.json"))
    assert.match((await at("s3://lakes/begun", "snapshots")).stdout, / [1-9][\d.]* (?:bytes|kB)\n$/)
    const { stdout: looked } = await at("s3://lakes/begun", "doctor")
    assert.notInclude(looked, "WARN")
  })

  for (const home of tried(
    ["s3:/lakes/tiny", "s3//lakes/tiny", "S3://lakes/tiny", "s3:tiny", "gs://lakes/tiny", " s3://lakes/tiny"],
    (_, index) => index < 2
  ))
    for (const command of tried([["nightly"], ["runs"], ["compact"], ["query", "select 1"]], (_, index) => index === 0))
      it(`cardlake ${command[0]} does not take ${home} for a folder`, async () => {
        assertFault(
          await at("unused", ...command, "--home", home),
          2,
          /^cardlake: The home cannot be used: Expected a folder or s3:\/\/bucket\/prefix; an address of a bucket begins with s3:\/\//
        )
      })
})

describe("a home among other things", async () => {
  const tiny = await bucketHere()
  const at = (address: string, ...args: ReadonlyArray<string>) =>
    cardlake(args, { env: tiny.env(address), hasShortWaits: true })
  for (const [home, ...command] of [
    ["s3://lakes/tiny", "nightly"],
    ["s3://lakes/tiny", "export", "--to", "s3://lakes/drop"],
    ["s3://lakes/outer/games", "nightly"]
  ]) {
    const { code, stderr } = await at(home ?? "", ...command)
    assert.strictEqual(code, 0, stderr)
  }
  const { code, stderr } = await tiny.inFolder("nightly")
  assert.strictEqual(code, 0, stderr)

  const stored = () => [...tiny.store.objects].map(([key, { tag }]) => `${key} ${tag}`).toSorted()
  const put = (...keys: ReadonlyArray<string>) => {
    for (const key of keys) tiny.store.objects.set(key, { body: Buffer.from("{}"), tag: '"1"', at: new Date() })
  }

  /** Ends with 1, says so, and leaves every object as it was. */
  const refuses = async (address: string, command: ReadonlyArray<string>, says: RegExp) => {
    const before = stored()
    assertFault(await at(address, ...command), 1, says)
    assert.deepStrictEqual(stored(), before)
  }

  const notEmpty =
    /s3:\/\/lakes\/drop is not empty and not a Cardlake home: it contains .*"drop\.json".*\. Nothing was written to it\. Name another prefix with CARDLAKE_HOME or --home$/
  for (const command of tried(
    [["nightly"], ["plan"], ["nightly", "--json"], ["fx", "rates.csv"]],
    (_, index) => index < 2
  ))
    it(`cardlake ${command.join(" ")} begins no home among the files of an export`, () =>
      refuses("s3://lakes/drop", command, notEmpty))

  it("no home is moved there, and there is none to read, although a drop has a folder games, too", async () => {
    assert.isTrue([...tiny.store.objects.keys()].some((key) => key.startsWith("drop/games/")))
    await refuses("s3://lakes/drop", ["runs"], /There is no home at s3:\/\/lakes\/drop/)
    const move = ["move", "--from", join(tiny.work, "folder"), "--to", "s3://lakes/drop"]
    await refuses("unused", move, /s3:\/\/lakes\/drop already exists\. Nothing was changed/)
  })

  it("doctor says so of such an address before a night does", async () => {
    const { code, stdout } = await at("s3://lakes/drop", "doctor")
    assert.strictEqual(code, 1)
    assert.match(stdout.replaceAll(/\s+/g, " "), /s3:\/\/lakes\/drop is not empty and not a Cardlake home/)
  })

  const within = /s3:\/\/lakes\/tiny\/games is in the home s3:\/\/lakes\/tiny, where only Cardlake writes/
  for (const command of [["nightly"], ["plan"]])
    it(`cardlake ${command.join(" ")} begins no home within another one`, () =>
      refuses("s3://lakes/tiny/games", command, within))

  it("no home begins around another one, nor is one moved into it", async () => {
    await refuses(
      "s3://lakes/outer",
      ["nightly"],
      /s3:\/\/lakes\/outer is not empty and not a Cardlake home: it contains "games\/"\./
    )
    const move = ["move", "--from", join(tiny.work, "folder"), "--to", "s3://lakes/tiny/games"]
    await refuses("unused", move, within)
  })

  for (const to of ["s3://lakes/tiny", "s3://lakes/tiny/", "s3://lakes/tiny/deep/drop"])
    it(`nothing is exported to ${to}, where a home is`, async () => {
      const says = /s3:\/\/lakes\/tiny\S* is in the home s3:\/\/lakes\/tiny, where only Cardlake writes/
      await refuses("s3://lakes/tiny", ["export", "--to", to], says)
      await refuses(join(tiny.work, "folder"), ["export", "--to", to], says)
    })

  it("a home begins where a first run that died has left its own, and beside files of others", async () => {
    put(
      "begun/",
      "begun/probes/attempt-1",
      "begun/keys/0a.json",
      "begun/own/own.json",
      "begun2/x.json",
      "lake/commits/notes.json"
    )
    const left = `begun3/games/tinies/objects/1/${"0".repeat(64)}.raw.p.json`
    put(left)
    for (const home of tried(["s3://lakes/begun", "s3://lakes/begun3"], (_, index) => index === 1)) {
      const { code, stderr } = await at(home, "nightly")
      assert.strictEqual(code, 0, stderr)
    }
  })

  it("keys that may see one prefix alone begin a home there", async () => {
    tiny.store.state.before = ({ url = "" }, response) => {
      if (url.startsWith("/lakes/apart/") || url.includes("prefix=apart%2F")) return false
      response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")
      return true
    }
    const { code, stderr } = await at("s3://lakes/apart/home", "nightly")
    tiny.store.state.before = () => false
    assert.strictEqual(code, 0, stderr)
  })
})
