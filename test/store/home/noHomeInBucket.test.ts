import { afterAll, assert, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { tinyBucket } from "./tinyBucket.ts"

const misspelt = "s3://lakes/tinny"

const tiny = await tinyBucket()
afterAll(tiny.stop)

const at = (address: string, ...args: ReadonlyArray<string>) =>
  cardlake(args, { env: tiny.env(address), hasShortWaits: true })
const says =
  /^cardlake: There is no home at s3:\/\/lakes\/tinny: nothing was ever stored there\. Check the address \(CARDLAKE_HOME or --home\), or begin a home there with: cardlake nightly$/

const commands = [
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
for (const command of tried(commands, (_, index) => index < 2))
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
  assert.isTrue(tiny.store.objects.has("begun/lake.json"))
  assert.match((await at("s3://lakes/begun", "snapshots")).stdout, / 0\.0\d*[1-9]\d*\n$/)
  const { stdout: looked } = await at("s3://lakes/begun", "doctor")
  assert.notInclude(looked, "LOOK")
})

for (const home of tried(
  ["s3:/lakes/tiny", "S3://lakes/tiny", "s3:tiny", "gs://lakes/tiny", " s3://lakes/tiny"],
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
