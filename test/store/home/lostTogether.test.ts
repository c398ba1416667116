import { afterAll, assert, beforeAll, beforeEach, it } from "@effect/vitest"
import { gameId } from "../lake/invented.ts"
import { type TinyBucket, tinyBucket } from "./tinyBucket.ts"

type Stored = TinyBucket["store"]["objects"] extends Map<string, infer A> ? A : never

const lakeKey = "tiny/lake.json"
const gameKey = `tiny/games/${gameId}/game.json`
const urlOf = (key: string) => `s3://lakes/${key}`

let tiny: TinyBucket
let saved: ReadonlyMap<string, Stored>
let sums: Awaited<ReturnType<TinyBucket["pulled"]>>

/** One night: no state follows another one. */
beforeAll(async () => {
  tiny = await tinyBucket()
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  saved = new Map(tiny.store.objects)
  sums = await tiny.pulled()
})
afterAll(() => tiny.stop())
beforeEach(() => {
  tiny.store.objects.clear()
  for (const [key, stored] of saved) tiny.store.objects.set(key, stored)
  for (const key of [lakeKey, gameKey]) assert.isTrue(tiny.store.objects.delete(key))
})

it("a game that was published once does not begin anew where its document is gone with lake.json", async () => {
  for (const command of [["nightly"], ["doctor", "--repair"]]) {
    const { code, stderr } = await tiny.run(...command)
    assert.strictEqual(code, 1, command.join(" "))
    assert.include(stderr, `Read ${urlOf(gameKey)} failed: it is gone. Restore it from a backup of the bucket`)
  }
  assert.isFalse(tiny.store.objects.has(lakeKey))
})

it("doctor names both documents and what comes first, and what it advises works", async () => {
  const { stdout } = await tiny.run("doctor", "--json")
  const wrong = (JSON.parse(stdout) as ReadonlyArray<{ ok: boolean; says: string }>).flatMap(({ ok, says }) =>
    ok ? [] : [says]
  )
  assert.deepStrictEqual(wrong, [
    `${urlOf(lakeKey)} is damaged: it is gone. Restore it from a backup of the bucket, or first the documents of games that are gone; what is left of it is then made again by: cardlake doctor --home s3://lakes/tiny --repair`,
    `${urlOf(gameKey)} is damaged: it is gone. Restore it from a backup of the bucket: nothing else has what it says`
  ])
  const document = saved.get(gameKey)
  if (document !== undefined) tiny.store.objects.set(gameKey, document)
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.deepStrictEqual(await tiny.pulled(), sums)
})
