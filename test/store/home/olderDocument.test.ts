import { assert, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { said, savedBucket, type TinyBucket } from "./tinyBucket.ts"

const game = `tiny/games/${gameId}/game.json`
let first: ReturnType<TinyBucket["store"]["objects"]["get"]>

/** Two nights; the game's document of the first is what a backup has. */
const { sums, tiny } = await savedBucket(async ({ run, sandbox, store }) => {
  await run("nightly")
  first = store.objects.get(game)
  await sandbox.deploy(gameId)
  await run("nightly")
})

const published = async () =>
  (JSON.parse((await tiny.run("snapshots", "--json")).stdout) as ReadonlyArray<{ snapshot: string }>).map(
    ({ snapshot }) => snapshot
  )

it("a game.json from before the last publication is named, and no night goes by it; a repair makes it again", async () => {
  const before = await published()
  assert.isDefined(first)
  if (first !== undefined) tiny.store.objects.set(game, { ...first, tag: '"restored"' })
  const says = `s3://lakes/${game} is damaged: it is older than what is published. Make it again with: cardlake doctor --home s3://lakes/tiny --repair`
  assert.deepStrictEqual(await tiny.wrong(), [says])
  await tiny.sandbox.deploy(gameId)
  const night = await tiny.run("nightly")
  assert.strictEqual(night.code, 1)
  assert.include(night.stderr, "it is older than what is published")
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.strictEqual(code, 0, stdout)
  assert.include(stdout, `s3://lakes/${game} is made again from what is published`)
  assert.deepStrictEqual([await tiny.wrong(), await tiny.pulled()], [[], sums])
  assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} published`])
  const after = await published()
  assert.includeMembers([...after], [...before])
  assert.strictEqual(after.length, before.length + 1)
})

it("a game that only a changed lake.json names is named by doctor and repair, which say what to do if it never was", async () => {
  const lake = tiny.store.objects.get("tiny/lake.json")
  assert.isDefined(lake)
  const text = String(lake?.body).replace(`"${gameId}"`, `"x${gameId.slice(1)}"`)
  assert.notStrictEqual(text, String(lake?.body))
  if (lake !== undefined)
    tiny.store.objects.set("tiny/lake.json", { ...lake, body: Buffer.from(text), tag: '"changed"' })
  const next =
    /games\/x\S+\/state\S+ is damaged: it is gone\. .* If there never was such a game, remove lake\.json and have it made again with: cardlake doctor/
  assert.match((await tiny.wrong()).join("\n"), next)
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.strictEqual(code, 1)
  assert.match(stdout, next)
  tiny.store.objects.delete("tiny/lake.json")
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.deepStrictEqual([await tiny.wrong(), await tiny.pulled()], [[], sums])
})
