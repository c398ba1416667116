import { afterAll, assert, it } from "@effect/vitest"
import { join } from "node:path"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { tinyBucket } from "./tinyBucket.ts"

const tiny = await tinyBucket()
afterAll(tiny.stop)
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
  for (const home of ["s3://lakes/begun", "s3://lakes/begun3"]) {
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
