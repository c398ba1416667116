import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { type TinyBucket, tinyBucket } from "./tinyBucket.ts"

type Stored = TinyBucket["store"]["objects"] extends Map<string, infer A> ? A : never

let tiny: TinyBucket
let saved: ReadonlyMap<string, Stored>
let sums: Awaited<ReturnType<TinyBucket["pulled"]>>

/** Eight nights, of which the first ones are in the month's part. */
beforeAll(async () => {
  tiny = await tinyBucket()
  for (let night = 0; night < 8; night++) {
    if (night > 0) await tiny.sandbox.deploy(gameId)
    const { code, stderr } = await tiny.run("nightly")
    assert.strictEqual(code, 0, stderr)
  }
  const { code, stderr } = await tiny.run("compact")
  assert.strictEqual(code, 0, stderr)
  saved = new Map(tiny.store.objects)
  sums = await tiny.pulled()
})
afterAll(() => tiny.stop())

const restored = () => {
  tiny.store.objects.clear()
  for (const [key, stored] of saved) tiny.store.objects.set(key, stored)
}

/** The last object whose key matches. */
const keyOf = (pattern: RegExp): string => {
  const key = [...saved.keys()].findLast((one) => pattern.test(one))
  assert.isDefined(key, String(pattern))
  return key
}
const urlOf = (key: string) => `s3://lakes/${key}`

const lose = (key: string) => assert.isTrue(tiny.store.objects.delete(key), key)
const spoil = (key: string) => {
  const stored = tiny.store.objects.get(key)
  if (stored !== undefined) tiny.store.objects.set(key, { ...stored, body: Buffer.alloc(stored.body.length, "x") })
}

const report = /\/shared\/runs\/.*\/\d{8}T[^/]*\.json$/

it("runs, pull and nights go on without a report that is gone, and runs and pull name it in a warning", async () => {
  restored()
  const key = keyOf(report)
  const before = (JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<unknown>).length
  lose(key)
  const said = `Read ${urlOf(key)} failed: it is gone. Restore it from a backup of the bucket, or repair what can be repaired with: cardlake doctor --repair`
  const listed = await tiny.run("runs", "--json")
  assert.deepStrictEqual([listed.code, (JSON.parse(listed.stdout) as ReadonlyArray<unknown>).length], [0, before - 1])
  assert.include(listed.stderr, said)
  const pulled = await tiny.run("pull", "--to", join(tiny.work, "without-report"))
  assert.strictEqual(pulled.code, 0)
  assert.include(pulled.stderr, said)
  assert.deepStrictEqual(await tiny.pulled(), sums)
  const exported = await tiny.run("export", "--to", join(tiny.work, "drop-without-report"))
  assert.deepStrictEqual([exported.code, exported.stderr.split(said).length - 1], [0, 1], exported.stderr)
  assert.strictEqual((await tiny.run("nightly")).code, 0)
})

it("a repair of a bucket names a report that is gone no longer, and does not say that it is set aside", async () => {
  restored()
  const key = keyOf(report)
  lose(key)
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.strictEqual(code, 0, stdout)
  assert.match(
    stdout,
    /^repaired: the report of run \S+ is no longer named: s3:\S+ is damaged: it is gone\n1 repaired, 0 left as they are\n$/
  )
  assert.include(stdout, urlOf(key))
  assert.deepStrictEqual(await tiny.wrong(), [])
  assert.deepStrictEqual(await tiny.pulled(), sums)
  const { stderr } = await tiny.run("runs")
  assert.strictEqual(stderr, "")
})

it("a repair of a bucket says of a raw page that is gone who needs it, and how it ends; so does doctor", async () => {
  restored()
  const page = keyOf(/\/raw\/.*\/pages\/products-/)
  lose(page)
  const next = `${urlOf(page)} is damaged: it is gone. Restore it from a backup of the bucket: nothing else has it. Only a replay or repair of its snapshot needs it; it is named until that snapshot is removed by: cardlake prune`
  const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
  assert.strictEqual(code, 1)
  assert.deepStrictEqual(JSON.parse(stdout), { done: [], left: [next] })
  assert.deepStrictEqual(await tiny.wrong(), [`${next} --home s3://lakes/tiny`])
  assert.deepStrictEqual(await tiny.pulled(), sums)
  for (let night = 0; night < 2; night++) {
    await tiny.sandbox.deploy(gameId)
    assert.include((await tiny.run("nightly")).stdout, "1 published")
  }
  assert.strictEqual((await tiny.run("prune", "--keep-last", "1", "--yes")).code, 0)
  assert.deepStrictEqual(await tiny.wrong(), [])
})

it("a repair of a bucket says what goes on without a month's table, and that a copy has it; and a copy does", async () => {
  restored()
  const copy = join(tiny.work, "copy-of-month")
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
  const month = keyOf(/\/months\/.*\/source_prices\.\w+\.parquet$/)
  spoil(month)
  const { code, stdout } = await tiny.run("doctor", "--repair", "--json")
  assert.strictEqual(code, 1)
  const { done, left } = JSON.parse(stdout) as { done: ReadonlyArray<string>; left: ReadonlyArray<string> }
  assert.deepStrictEqual([done, left.length], [[], 1])
  const [, object, file = ""] =
    /^(\S+) is damaged: its bytes are not those that its name says\. Restore it from a backup of the bucket, or from (\S+) of a copy that cardlake pull has made: no command can make it again\. Until then its game cannot be copied, and those days not exported; nights go on$/.exec(
      left[0] ?? ""
    ) ?? []
  assert.strictEqual(object, urlOf(month), left[0])
  assert.strictEqual((await tiny.run("pull", "--to", join(tiny.work, "none"))).code, 1)
  const stored = saved.get(month)
  if (stored !== undefined) tiny.store.objects.set(month, { ...stored, body: readFileSync(join(copy, file)) })
  assert.include((await tiny.run("doctor", "--repair")).stdout, "Nothing is damaged")
  assert.deepStrictEqual(await tiny.pulled(), sums)
})
