import { assert, beforeEach, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { savedBucket } from "./tinyBucket.ts"

const lakeKey = "tiny/lake.json"
const gameKey = `tiny/games/${gameId}/game.json`

/** One night: no state follows another one. */
const { lose, saved, spoil, sums, tiny, urlOf } = await savedBucket(({ run }) => run("nightly"))
beforeEach(() => lose(lakeKey, gameKey))

it("a game that was published once does not begin anew where its document is gone with lake.json", async () => {
  for (const command of [["nightly"], ["doctor", "--repair"]]) {
    const { code, stderr } = await tiny.run(...command)
    assert.strictEqual(code, 1, command.join(" "))
    assert.include(stderr, `Read ${urlOf(gameKey)} failed: it is gone. Restore it from a backup of the bucket`)
  }
  assert.isFalse(tiny.store.objects.has(lakeKey))
})

it("doctor names both documents and what comes first, and what it advises works", async () => {
  assert.deepStrictEqual(await tiny.wrong(), [
    `${urlOf(lakeKey)} is damaged: it is gone. Restore it from a backup of the bucket, or first the documents of games that are gone; what is left of it is then made again by: cardlake doctor --home s3://lakes/tiny --repair`,
    `${urlOf(gameKey)} is damaged: it is gone. Restore it from a backup of the bucket: nothing else has what it says`
  ])
  spoil(gameKey, saved.get(gameKey)?.body)
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.deepStrictEqual(await tiny.pulled(), sums)
})
