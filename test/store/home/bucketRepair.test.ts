import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { tried } from "../../tried.ts"
import { address, savedBucket } from "./tinyBucket.ts"

/** Eight nights, of which the first ones are in the month's part. */
const { keyOf, lose, saved, spoil, sums, tiny, urlOf } = await savedBucket(async ({ run, sandbox }) => {
  for (let night = 0; night < 8; night++) {
    if (night > 0) await sandbox.deploy(gameId)
    const { code, stderr } = await run("nightly")
    assert.strictEqual(code, 0, stderr)
  }
  const { code, stderr } = await run("compact")
  assert.strictEqual(code, 0, stderr)
})

const damages = {
  "is gone": lose,
  "has other bytes": (key: string) => spoil(key),
  "is cut": (key: string) => spoil(key, saved.get(key)?.body.subarray(0, -1))
}

const mendable = {
  "a table of the published snapshot": /\/snapshots\/.*\/products\.\w+\.parquet$/,
  "a manifest": /\/snapshots\/.*\/manifest\.\w+\.json$/,
  "a file of changes": /\/changes\/.*\/product_versions\.\w+\.parquet$/,
  "a difference": /\/changes\/.*\/diff\.\w+\.json$/,
  "the account of a month": /\/months\/.*\/part\.\w+\.json$/,
  "a changelog": /\/deployments\/.*\/deployments\.\w+\.parquet$/
}
const cases = Object.entries(mendable).flatMap(([what, pattern]) =>
  Object.entries(damages).map(([how, damage]) => ({ what, pattern, how, damage }))
)

for (const { damage, how, pattern, what } of tried(cases, (_, index) => index === 0 || index === 10)) {
  it(`a repair of a bucket makes ${what} again that ${how}, as another object, and nothing leaves the bucket`, async () => {
    const key = keyOf(pattern)
    damage(key)
    const damaged = new Map(tiny.store.objects)
    const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
    assert.strictEqual(code, 0, `${stdout}${stderr}`)
    assert.match(stdout, /^repaired: .*\n[1-9]\d* repaired, 0 left as they are\n$/s)
    for (const [one, stored] of damaged)
      if (one.includes("/attempt-")) assert.strictEqual(tiny.store.objects.get(one), stored, one)
    assert.deepStrictEqual(await tiny.wrong(), [])
    assert.deepStrictEqual(await tiny.pulled(), sums)
    assert.include((await tiny.run("doctor", "--repair")).stdout, "Nothing is damaged")
  })
}

it("doctor names objects of a bucket that are gone or of another size by their keys, with the next step", async () => {
  const [gone, cut] = [keyOf(mendable["a table of the published snapshot"]), keyOf(mendable["a file of changes"])]
  damages["is gone"](gone)
  damages["is cut"](cut)
  const size = saved.get(cut)?.body.length ?? 0
  assert.strictEqual((await tiny.run("doctor")).code, 1)
  const next =
    "Restore it from a backup of the bucket, or repair what can be repaired with: cardlake doctor --home s3://lakes/tiny --repair"
  assert.sameMembers(
    [...(await tiny.wrong())],
    [
      `${urlOf(gone)} is damaged: it is gone. ${next}`,
      `${urlOf(cut)} is damaged: it has ${size - 1} bytes instead of ${size}. ${next}`
    ]
  )
})

it("a repair of a bucket that another runner overtakes begins again from there", async () => {
  damages["is gone"](keyOf(mendable["a table of the published snapshot"]))
  const overtaken: Array<Promise<{ readonly code: number | null }>> = []
  tiny.store.state.before = async ({ method, url = "" }) => {
    if (overtaken.length > 0 || method !== "PUT" || !url.includes(`/games/${gameId}/game.json`)) return false
    overtaken.push(tiny.start("rollback", gameId, "--yes", "--why", "as a test").ended)
    await overtaken[0]
    return false
  }
  const { code, stderr, stdout } = await tiny.run("doctor", "--repair")
  tiny.store.state.before = () => false
  assert.strictEqual((await overtaken[0])?.code, 0)
  assert.strictEqual(code, 0, `${stdout}${stderr}`)
  assert.match(stderr, /Another runner changed hollowmere meanwhile/)
  assert.strictEqual(tiny.steps().at(-1)?.split(" ")[1], "rollback")
  assert.deepStrictEqual(await tiny.wrong(), [])
})

it(`a repair of ${address} that finds nothing damaged writes nothing`, async () => {
  const { code, stdout } = await tiny.run("doctor", "--repair")
  assert.deepStrictEqual([code, stdout], [0, "Nothing is damaged\n"])
  assert.deepStrictEqual(
    [...tiny.store.objects.keys()].filter((key) => !saved.has(key)),
    []
  )
})

it("a night that needs a damaged object of a bucket names it, and publishes once it is repaired", async () => {
  const key = keyOf(mendable["a table of the published snapshot"])
  damages["has other bytes"](key)
  await tiny.sandbox.deploy(gameId)
  const { code, stdout } = await tiny.run("nightly")
  assert.strictEqual(code, 1)
  assert.include(stdout, `Read ${urlOf(key)} failed: its bytes are not those that its name says.`)
  assert.include(stdout, "repair what can be repaired with: cardlake doctor --repair")
  assert.notInclude(stdout, tmpdir())
  assert.strictEqual((await tiny.run("doctor", "--repair")).code, 0)
  assert.include((await tiny.run("nightly")).stdout, "1 published")
})

const report = /\/shared\/runs\/.*\/\d{8}T[^/]*\.json$/

it("runs, pull and nights go on without a report that is gone, and runs and pull name it in a warning", async () => {
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
  spoil(month, readFileSync(join(copy, file)))
  assert.include((await tiny.run("doctor", "--repair")).stdout, "Nothing is damaged")
  assert.deepStrictEqual(await tiny.pulled(), sums)
})
