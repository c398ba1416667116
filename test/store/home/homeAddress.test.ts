import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cardlake, settings } from "../../pipelines/cli.ts"
import { tried } from "../../tried.ts"
import { type ConditionalStore, startConditionalStore } from "./conditionalStore.ts"

let store: ConditionalStore
const work = mkdtempSync(join(tmpdir(), "cardlake-address-"))
beforeAll(async () => {
  store = await startConditionalStore()
})
afterAll(async () => {
  await store.stop()
  rmSync(work, { recursive: true })
})

const at = (home: string, ...args: ReadonlyArray<string>) =>
  cardlake(args, { env: { ...settings("http://127.0.0.1:9", home), ...store.env }, hasShortWaits: true, cwd: work })

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
      assert.match(stdout + stderr, /The home cannot be used: .*Keys are no part of it/)
      assert.notMatch(stdout + stderr, /4711|s3cr3t/)
    }
    assert.deepStrictEqual([store.state.requests, readdirSync(work)], [[], []])
  })

const faults: ReadonlyArray<readonly [string, RegExp]> = [
  ["s3://lakes/quest?x=1", /without a question mark/],
  ["s3://lakes/quest#x", /without a question mark or #/],
  ["s3://lakes/../x", /\. and \.\. lead nowhere/],
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
    assert.deepStrictEqual(store.state.requests, [])
  })

it("cardlake init makes no folder that is called like a bucket", async () => {
  const { code, stderr } = await at("s3://lakes/cards", "init", "folder")
  assert.strictEqual(code, 2)
  assert.match(stderr, /init prepares nights of this machine/)
  assert.deepStrictEqual(readdirSync(work), [])
})

for (const to of ["s3://lakes/copy", "S3://lakes/copy", secret])
  it(`cardlake pull says that --to is a folder, and not ${to}`, async () => {
    const { code, stderr } = await at("s3://lakes/cards", "pull", "--to", to)
    assert.strictEqual(code, 2)
    assert.match(stderr, /pull copies a home in a bucket into a folder of this machine, which --to names/)
    assert.notInclude(stderr, to)
    assert.deepStrictEqual(store.state.requests, [])
  })
